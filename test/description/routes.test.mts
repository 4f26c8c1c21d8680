/** What is declared is what the specification names: method, path and scope. */
import { resources } from '../../nodes/IntegrationLeads/resources';
import { specRoutes } from '../helpers/spec-routes.mts';

const declared = Object.entries(resources).flatMap(([resource, { operations }]) =>
	Object.entries(operations).map(([key, operation]) => ({ name: `${resource}.${key}`, operation })),
);
const routed = declared.flatMap(({ name, operation }) => {
	const { route, ...rest } = operation;
	return route ? [{ name, route, operation: rest }] : [];
});

/** Names of path parameters differ between the specification and us. */
const shape = (path: string) => path.replace(/:\w+|\{\w+\}/g, '*');

it.each(routed)('$name: $route is in the specification, with its scope', ({ route, operation }) => {
	const [method, path] = route.split(' ');
	const specified = specRoutes.filter(
		(each) => each.method === method && shape(each.path) === shape(path),
	);
	expect(specified).toHaveLength(1);
	const [{ scope }] = specified;
	expect(operation.scope).toEqual(
		scope ?? { assumed: expect.stringMatching(/^(\w+:(read|write)|sync)$/) },
	);
});

it.each(specRoutes)('$method $path of the specification can be reached', ({ method, path }) => {
	const reaching = routed.filter(({ route }) => shape(route) === `${method} ${shape(path)}`);
	expect(reaching).not.toEqual([]);
});

it.each(routed)('$name: says how we know what is sent', ({ route, operation }) => {
	const [method, path] = route.split(' ');
	const { section } = specRoutes.find(
		(each) => each.method === method && shape(each.path) === shape(path),
	)!;
	expect(operation.sends).toEqual(
		section === '4.6' ? { assumed: expect.stringMatching(/./) } : { stated: section },
	);
});

it.each(routed)('$name: each part of $route that varies is a parameter', ({ route, operation }) => {
	const names = [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
	const parameters = operation.parameters.filter(({ in: place }) => place === 'path');
	expect(parameters.map(({ name }) => name).sort()).toEqual(names.sort());
	expect(parameters.filter(({ required }) => !required)).toEqual([]);
});

it.each(routed)('$name: repeats only what is safe to repeat', ({ route, operation }) => {
	const [method] = route.split(' ');
	if (method === 'POST') expect(operation.repeatable).not.toBe(true);
	if (method === 'GET') expect(operation.repeatable).toBe(true);
});

it('every operation has a route or builds its request', () => {
	const neither = declared.filter(({ operation }) => !operation.route && !operation.request);
	expect(neither).toEqual([]);
});
