/**
 * Simulates an account that the trigger watches: leads are created, change and are deleted, polls are cut short, states
 * are lost. The model knows everything that happened and reports what the trigger got wrong.
 */
import { storedBucket } from '../../nodes/IntegrationLeads/watch/timeline';
import { RecentEvents } from '../../nodes/IntegrationLeads/trigger/store';
import type { LeadEvent, LeadRequest, Settings } from '../../nodes/IntegrationLeads/watch/types';
import { seeded } from '../pure/virtualClock.mts';
import { pollWith, type Polled } from './polling.mts';
import { ModelService, plainBehaviour, type ServiceBehaviour, type ModelLead } from './service.mts';

const START = Date.parse('2026-03-02T12:00:17.250Z');
const MINUTE = 60_000;
const DAY = 86_400_000;
const STATUSES = ['open', 'in_progress', 'closed_won', 'lost'];
const WATCHED_TAGS = ['vip', 'hot'];
const TAGS = [...WATCHED_TAGS, 'cold'];

export interface Scenario {
	seed: number;
	/** Leads at the start. */
	leads: number;
	pageSize: number;
	cap: number;
	polls: number;
	/** Operations between two polls, at most. */
	operations: number;
	/** Operations before each request, on average. */
	churn: number;
	/** How likely a batch of requests is not answered in full. */
	faults: number;
	/** How likely the process dies at the end of a poll. */
	crashes: number;
	/** n8n stores the state of every poll, together with the execution, but starts polls from old states. */
	durable?: boolean;
	/** Leads may be listed up to so long after their creation, in ms. */
	lateness: number;
	/** Leads of the start lie within so many ms. */
	spread: number;
	/** Only leads of high priority are watched. */
	filtered: boolean;
	/** How likely the user changes filters, events or days watched between two polls; 0 if missing. */
	edits?: number;
	/** Whether tags are watched. */
	tagged?: boolean;
	full: boolean;
	existing: boolean;
	/** Between two polls, at most, in ms. */
	interval: number;
	/** Our clock against the service's, in ms. */
	skew: number;
	watchWithinDays: number;
	mostEvents: number;
	/** How many leads may be created at once, in the same millisecond. */
	atOnce: number;
	behaviour: Partial<ServiceBehaviour>;
}

/** What was last reported of a lead. */
interface Announced {
	status?: string;
	created: boolean;
}

export interface Simulation {
	violations: string[];
	operations: number;
	polls: number;
	events: number;
	/** There were too many leads in a moment for what follows to be promised. */
	tooManyInOneSecond: boolean;
}

/** n8n was killed during a poll. */
class ProcessDied extends Error {}

export async function simulate(scenario: Scenario): Promise<Simulation> {
	const simulation = await run(scenario);
	// A notice warned the user, so nothing was lost silently. What was announced must be right all the same.
	const loss = /lost|not announced|last announced|last changes|never comes/;
	const { tooManyInOneSecond } = simulation;
	const violations = simulation.violations.filter(
		(text) => !tooManyInOneSecond || !loss.test(text),
	);
	return { ...simulation, violations };
}

async function run(scenario: Scenario): Promise<Simulation> {
	const random = seeded(scenario.seed);
	const below = (count: number) => Math.floor(random() * count);
	const service = new ModelService({ ...plainBehaviour, ...scenario.behaviour }, random, START);
	const edits = scenario.edits ?? 0;
	/** Whether leads come under the filters or leave them. */
	const isFiltered = scenario.filtered || edits > 0;
	const usual: Settings = {
		triggerOn: [
			'lead.created',
			'lead.statusChanged',
			...(scenario.tagged ? ['lead.tagged' as const] : []),
		],
		fromStatus: [],
		toStatus: [],
		tags: scenario.tagged ? WATCHED_TAGS : [],
		filters: scenario.filtered ? { priority: 'high' } : {},
		watchWithinDays: scenario.watchWithinDays,
		emitSince: scenario.existing ? -Infinity : Infinity,
		maxRequestsPerPoll: scenario.cap,
		includeFullLead: scenario.full,
		process: 'one',
		repeatOthersBefore: Infinity,
		account: 'test',
		pageSize: scenario.pageSize,
		maxEventsPerPoll: scenario.mostEvents,
	};
	let settings = usual;
	const simulation: Simulation = {
		violations: [],
		operations: 0,
		polls: 0,
		events: 0,
		tooManyInOneSecond: false,
	};
	const wrong = (text: string) => {
		if (simulation.violations.length < 10)
			simulation.violations.push(`poll ${simulation.polls}: ${text}`);
	};
	/** Every status a lead ever had. */
	const history = new Map<string, Set<string>>();
	/** Leads whose status changed when the baseline may not have known them yet, or that left the filter. */
	const vague = new Set<string>();
	/** Leads that came under the filters or left them without a change of the settings. */
	const moved = new Set<string>();
	/** Leads that the filters left out at a poll that read everything. */
	const leftOut = new Set<string>();
	/** Leads whose status may not be known, since for some time only creation was watched. */
	const statusVague = new Set<string>();
	/** Leads and tags of which the trigger may not know that the lead got the tag, since it was not watched, or had it before. */
	const tagVague = new Set<string>();
	/** Whether all leads were read since a tag was added to those that are watched. */
	let tagsKnown = true;
	/** How many times a lead got a tag, and how many times that was announced. */
	const gains = new Map<string, number>();
	const tagged = new Map<string, number>();
	const announced = new Map<string, Announced>();
	const ids = new Set<string>();
	const ghosts = new Map<string, string>();
	const before = new Set<string>();
	/** Those of them that count as new when they come under the filter later, since the start is not known exactly. */
	const young = new Set<string>();
	/** Those of them that cannot be told from leads created later: only our clock states when watching began. */
	const doubtful = new Set<string>();
	/** What n8n has in memory, and what it has stored. Whole: all was read when it was stored. */
	let state: unknown;
	let stored: unknown;
	let isStoredWhole = false;
	let process = { id: 'process 0', startedAt: -Infinity, emitted: new RecentEvents() };
	/** All that came out of a poll, whether it was handed over or not. */
	const emitted = new Set<string>();
	let baseline = false;
	/** The statuses and tags at a poll that is known to have seen all of them. */
	let exact: Map<string, Pick<ModelLead, 'status' | 'tags'>> | undefined;

	const anyPriority = () => (isFiltered && random() < 0.5 ? 'high' : 'medium');
	const isWatched = ({ priority }: ModelLead) =>
		[undefined, priority].includes(settings.filters.priority);
	const remember = (lead: ModelLead) =>
		history.set(lead.id, (history.get(lead.id) ?? new Set()).add(lead.status));
	const anyLead = (): ModelLead | undefined => service.leads[below(service.leads.length)];

	const setStatus = (lead: ModelLead, status: string) => {
		service.change(lead, { status });
		remember(lead);
		if (!baseline) vague.add(lead.id);
	};

	const addTag = (lead: ModelLead, tag: string) => {
		service.change(lead, { tags: [...lead.tags, tag] });
		countUp(gains, `${lead.id} ${tag}`);
	};
	const removeTag = (lead: ModelLead, tag: string) =>
		service.change(lead, { tags: lead.tags.filter((each) => each !== tag) });
	const anyTag = () => TAGS[below(TAGS.length)];

	function toggleTag(lead: ModelLead, tag: string): void {
		if (lead.tags.includes(tag)) removeTag(lead, tag);
		else addTag(lead, tag);
		if (!baseline) vague.add(lead.id);
	}

	function operate(): void {
		simulation.operations += 1;
		const one = scenario.tagged && random() < 0.3 ? anyLead() : undefined;
		if (one) return toggleTag(one, anyTag());
		const kind = random();
		const lead = anyLead();
		if (kind < 0.3) {
			const late = random() < 0.3 ? below(scenario.lateness + 1) : 0;
			const count = random() < 0.1 ? 1 + below(scenario.atOnce) : 1;
			for (let left = count; left > 0; left -= 1) {
				const status = STATUSES[below(2)];
				// Created at its own time, listed later.
				const at = service.now;
				const created = service.create(at, status, anyPriority(), at + late);
				remember(created);
				if (scenario.tagged && random() < 0.3) addTag(created, anyTag());
			}
		} else if (!lead) return;
		else if (kind < 0.85) setStatus(lead, STATUSES[below(STATUSES.length)]);
		else if (kind < 0.95 && isFiltered) {
			service.change(lead, { priority: anyPriority() });
			vague.add(lead.id);
			moved.add(lead.id);
		} else service.delete(lead);
	}

	/** The user changes what is watched. */
	function edit(changed: Partial<Settings>): void {
		const watched = new Set(service.leads.filter(isWatched));
		const olderThan = service.now - 29 * DAY;
		const { filters: before } = settings;
		const hasOtherDays =
			(changed.watchWithinDays ?? settings.watchWithinDays) !== settings.watchWithinDays;
		if (changed.tags?.some((tag) => !settings.tags.includes(tag))) tagsKnown = false;
		settings = { ...settings, ...changed };
		const isFilterChanged = changed.filters?.priority !== before.priority;
		for (const lead of service.leads) {
			const isOfDays = hasOtherDays && lead.createdAt < olderThan;
			// One that is listed late cannot be told from one that the filters left out before.
			const isListedLate = lead.visibleAt > lead.createdAt && !announced.has(lead.id);
			const isLate = isFilterChanged && isListedLate;
			if (watched.has(lead) !== isWatched(lead) || isOfDays || isLate) vague.add(lead.id);
		}
	}

	function editAnything(): void {
		const [events, days] = [below(6), random() < 0.5 ? 30 : scenario.watchWithinDays];
		const all = usual.triggerOn;
		const triggerOn = events < all.length ? [all[events]] : all;
		const tags = random() < 0.5 ? WATCHED_TAGS : WATCHED_TAGS.slice(below(2)).reverse();
		edit({
			filters: random() < 0.5 ? { priority: 'high' } : {},
			triggerOn,
			tags: triggerOn.includes('lead.tagged') ? tags : [],
			watchWithinDays: random() < 0.5 ? settings.watchWithinDays : days,
		});
	}

	/** Leads that a poll has read while events of one kind were not watched. */
	function noteUnwatched(): void {
		for (const { id } of service.leads) {
			for (const tag of TAGS) {
				if (!tagsKnown || !settings.tags.includes(tag)) tagVague.add(`${id} ${tag}`);
			}
			if (!settings.triggerOn.includes('lead.statusChanged')) statusVague.add(id);
			const isCreation = settings.triggerOn.includes('lead.created');
			const isUnannounced = (!before.has(id) || scenario.existing) && !announced.get(id)?.created;
			if (!isCreation && isUnannounced) vague.add(id);
		}
	}

	function check(event: LeadEvent): void {
		const id = String(event.lead.id);
		const about = `${event.event} ${id} ${event.previousStatus} -> ${event.tag ?? event.status}`;
		const known: Announced = announced.get(id) ?? { created: false };
		if (event.redelivered) {
			if (!emitted.has(event.eventId)) wrong(`redelivered, but never emitted: ${about}`);
			// Who drops repeats by their ids does not see it.
			if (ids.has(event.eventId)) return;
		}
		// One that left the filters and came back within minutes of its creation is emitted again. A change of the filters does
		// the same if only our clock tells when leads were read.
		const isAmbiguous = moved.has(id) || (edits > 0 && scenario.behaviour.withoutDate);
		// Where creations are not watched, a lead that is read for the first time with another status than open has changed.
		const isFirst = event.previousStatus === null && event.event !== 'lead.tagged';
		const isCreatedAgain = isFirst && isAmbiguous;
		if (isCreatedAgain && known.created && ids.has(event.eventId)) return;
		if (ids.has(event.eventId)) wrong(`repeated id: ${about}`);
		if (!history.get(id)?.has(event.status)) wrong(`never was so: ${about}`);
		if (isFirst) {
			const isChange = !settings.triggerOn.includes('lead.created') && event.status !== 'open';
			if ((event.event === 'lead.statusChanged') !== isChange) wrong(`other event: ${about}`);
			if (known.created) wrong(`created twice: ${about}`);
			const entered = isFiltered && vague.has(id) && young.has(id);
			const old = before.has(id) && !scenario.existing;
			if (old && !entered && !doubtful.has(id)) wrong(`not new: ${about}`);
			if (leftOut.has(id) && !isAmbiguous) wrong(`left out before: ${about}`);
			if (known.status !== undefined && !vague.has(id)) wrong(`changed, then created: ${about}`);
			known.created = true;
		} else if (event.event === 'lead.tagged') {
			const key = `${id} ${event.tag}`;
			countUp(tagged, key);
			if (!WATCHED_TAGS.includes(String(event.tag))) wrong(`other tag: ${about}`);
			const isOften = (tagged.get(key) ?? 0) > (gains.get(key) ?? 0);
			if (isOften && !vague.has(id) && !doubtful.has(id)) wrong(`not tagged: ${about}`);
			// One that was deleted during the poll is not vague, though its creation was not watched.
			const isCreation = settings.triggerOn.includes('lead.created');
			const isMissing = isCreation && !known.created && !before.has(id) && !vague.has(id);
			if (isMissing) wrong(`not announced: ${about}`);
			return;
		} else {
			const { previousStatus } = event;
			if (previousStatus === event.status) wrong(`no change: ${about}`);
			const plausible =
				vague.has(id) || statusVague.has(id)
					? history.get(id)?.has(String(previousStatus))
					: known.status === previousStatus;
			if (!plausible) wrong(`not in turn, was ${known.status}: ${about}`);
			if (!known.created && !before.has(id) && !vague.has(id)) wrong(`not announced: ${about}`);
		}
		known.status = event.status;
		announced.set(id, known);
	}

	/** The process dies; another one goes on from what was stored. */
	function die(): void {
		const startedAt = service.now + scenario.skew;
		process = { id: `process ${simulation.polls}`, startedAt, emitted: new RecentEvents() };
		state = structuredClone(stored);
		exact = undefined;
		leftOut.clear();
		if (edits > 0) tagsKnown = false;
		if (isStoredWhole) return;
		// What the baseline had read is forgotten, unless n8n stored it because of events.
		baseline = false;
		for (const lead of service.leads) vague.add(lead.id);
	}

	/**
	 * What n8n does with the result of a poll.
	 *
	 * @returns whether the process goes on from it
	 */
	function handOver(events: LeadEvent[], result: Polled, undisturbed: boolean): boolean {
		const dies = !undisturbed && random() < scenario.crashes;
		const fails = !undisturbed && scenario.durable === true && random() < scenario.crashes;
		// State and execution are stored in one transaction, or the state first, and only if there are events. It may be
		// too late to run the execution in both cases.
		const isLost = scenario.durable ? fails : dies && random() < 0.5;
		const isStored = !isLost && (dies || scenario.durable || events.length > 0 || !stored);
		const isHandedOver = !isLost && (!dies || random() < 0.5);
		if (isStored) {
			// What the service cannot have meant otherwise.
			stored = JSON.parse(JSON.stringify(result.state)) as unknown;
			isStoredWhole = result.unread === 0;
		}
		for (const { event, eventId, lead, previousStatus, redelivered, status, tag } of events) {
			emitted.add(eventId);
			const about = `${event} ${String(lead.id)} ${previousStatus} -> ${status} ${tag}`;
			// What is emitted again has its id from the state.
			if (redelivered) continue;
			const ghost = ghosts.get(about) ?? eventId;
			if (ghost !== eventId && !scenario.full) wrong(`other id: ${about}`);
			if (isLost) ghosts.set(about, eventId);
		}
		// From a new state, the same change is another event.
		if (isStored && events.length > 0) ghosts.clear();
		if (isHandedOver) {
			events.forEach(check);
			for (const { eventId } of events) ids.add(eventId);
			simulation.events += events.length;
		}
		if (dies) die();
		if (dies || isLost) return false;
		state = structuredClone(result.state);
		return true;
	}

	async function ask(undisturbed: boolean, from: unknown): Promise<Polled | undefined> {
		simulation.polls += 1;
		simulation.operations += 1;
		const repeatOthersBefore = scenario.durable ? process.startedAt : Infinity;
		const how = { ...settings, process: process.id, repeatOthersBefore };
		const faults = undisturbed ? 0 : scenario.faults;
		let asked = 0;
		let isOver = false;
		/** Requests that are made at the same time. */
		let batch: { dies: boolean; stops: boolean } | undefined;
		const request = async (each: LeadRequest) => {
			if (isOver) return undefined;
			if (!batch) {
				// Overlapping polls are kept apart by the shell; a process may die at any time.
				const dies = !undisturbed && random() < scenario.crashes / 10;
				batch = { dies, stops: !dies && random() < faults };
				queueMicrotask(() => {
					isOver = batch!.stops;
					batch = undefined;
				});
			}
			if (batch.dies) throw new ProcessDied();
			asked += 1;
			service.now += 20 + below(60);
			if (!undisturbed) for (let left = scenario.churn; random() < left; left -= 1) operate();
			return batch.stops && random() < 0.7 ? undefined : service.answer(each);
		};
		try {
			const result = await pollWith(
				structuredClone(from),
				how,
				service.now + scenario.skew,
				request,
			);
			if (asked > scenario.cap) wrong(`${asked} requests`);
			return result;
		} catch (reason) {
			if (!(reason instanceof ProcessDied)) throw reason;
			die();
			return undefined;
		}
	}

	/** Whether everything was read, so that it is known exactly what has to be announced. */
	const isExact = ({ requests, unread, complete, state }: Polled) =>
		scenario.faults === 0 &&
		unread === 0 &&
		complete &&
		requests < scenario.cap - 2 &&
		state.buckets.length < scenario.cap / 3;

	async function pollOnce(undisturbed: boolean, from = state): Promise<Polled | undefined> {
		const first = from === undefined;
		const now = () => service.now + scenario.skew;
		if (scenario.durable && process.emitted.isStale(from, now())) return undefined;
		const begunAt = service.now;
		const existed = first ? service.leads.filter((lead) => lead.visibleAt <= service.now) : [];
		const result = await ask(undisturbed, from);
		noteUnwatched();
		if (!result) return undefined;
		if (result.complete) tagsKnown = true;
		for (const notice of result.notices) {
			if (notice === 'tooManyInOneSecond') simulation.tooManyInOneSecond = true;
			else wrong(`notice: ${notice}`);
		}
		if (first) {
			// In what it could not read, the trigger takes for new what was created after it began.
			const { activated, buckets } = result.state;
			const [, ...ends] = buckets.map((each) => storedBucket.parse(each).start);
			const isOpenUnread = buckets.some((each, index) => {
				return (
					storedBucket.parse(each).readAt === null && (ends[index] ?? Infinity) > Number(activated)
				);
			});
			// Without the service's clock, only ours tells when that was: it may be fast, so it counts as ten minutes slower
			// than it shows. The service's is in whole seconds.
			const { withoutDate } = scenario.behaviour;
			const begun = withoutDate
				? begunAt - 10 * MINUTE + scenario.skew
				: begunAt - (begunAt % 1000);
			for (const lead of existed) {
				before.add(lead.id);
				for (const tag of lead.tags) tagVague.add(`${lead.id} ${tag}`);
				if (lead.createdAt >= begun) young.add(lead.id);
				if (isOpenUnread && lead.createdAt >= begun) doubtful.add(lead.id);
			}
			// Those that came during the first poll may count as new or not. So may those created before it and listed
			// later, unless existing leads are emitted.
			for (const lead of service.leads) {
				const unsure = (isOpenUnread || !scenario.existing) && lead.createdAt < service.now;
				if ((unsure || lead.visibleAt <= service.now) && !before.has(lead.id)) vague.add(lead.id);
			}
		}
		const events = scenario.durable ? process.emitted.mark(result, now()) : result.events;
		if (!handOver(events, result, undisturbed)) return undefined;
		for (const lead of result.complete ? service.leads : []) {
			const wasListed = Math.max(lead.visibleAt, lead.createdAt + 1000) <= begunAt;
			if (wasListed && !isWatched(lead)) leftOut.add(lead.id);
		}
		if (!baseline && result.unread === 0) {
			baseline = true;
			for (const lead of service.leads) {
				const known = announced.get(lead.id);
				if (scenario.churn > 0) vague.add(lead.id);
				else if (before.has(lead.id) && !scenario.existing && !known && !vague.has(lead.id)) {
					announced.set(lead.id, { status: lead.status, created: false });
				}
			}
		}
		return result;
	}

	async function finish(): Promise<void> {
		let quiet = 0;
		for (let left = 400; left > 0; left -= 1) {
			service.now += MINUTE;
			const result = await pollOnce(true);
			if (!result) return wrong('an undisturbed poll achieved nothing');
			// Every bucket must have been read once; leads of one second may take three requests for a page of them.
			const cost = result.state.buckets.length + 3 * (service.leads.length / scenario.pageSize);
			const enough = Math.ceil(cost / Math.max(1, Math.ceil(scenario.cap / 2) - 2)) + 2;
			const busy = result.events.length > 0 || result.unread > 0;
			quiet = busy ? 0 : quiet + 1;
			if (quiet > enough) return;
		}
		wrong('never comes to rest');
	}

	service.fill(
		scenario.leads,
		() => START - 45 * MINUTE - below(scenario.spread),
		() => STATUSES[below(STATUSES.length)],
	);
	for (const lead of service.leads) {
		service.change(lead, { priority: anyPriority() });
		remember(lead);
		if (!scenario.tagged || random() < 0.7) continue;
		const tag = anyTag();
		if (scenario.existing) addTag(lead, tag);
		else service.change(lead, { tags: [tag] });
	}
	for (let index = 0; index < scenario.polls; index += 1) {
		const begun = service.now;
		const before = state;
		const result = await pollOnce(false);
		const undisturbed = scenario.churn === 0 && !isFiltered;
		if (result && undisturbed && isExact(result)) {
			if (exact) {
				const changes = new Set(result.events.map(({ lead }) => String(lead.id)));
				const gained = new Set(result.events.map(({ lead, tag }) => `${String(lead.id)} ${tag}`));
				for (const lead of service.leads) {
					const was = exact.get(lead.id);
					const differs = was?.status !== lead.status && lead.visibleAt <= begun;
					const hidden = lead.createdAt < service.now - 10 * MINUTE && was === undefined;
					if (differs && !changes.has(lead.id) && !hidden)
						wrong(`not announced in this poll: ${lead.id}`);
					for (const tag of lead.tags) {
						const isGained = WATCHED_TAGS.includes(tag) && was && !was.tags.includes(tag);
						if (isGained && !gained.has(`${lead.id} ${tag}`))
							wrong(`not announced in this poll: ${lead.id} ${tag}`);
					}
				}
			}
			exact = new Map(
				service.leads
					.filter((lead) => lead.visibleAt <= begun || announced.has(lead.id))
					.map(({ id, status, tags }) => [id, { status, tags }]),
			);
		} else if (result) exact = undefined;
		// n8n read the state for another poll before this one was stored.
		if (result && scenario.durable && before !== undefined && random() < 0.3) {
			service.now += below(10_000);
			await pollOnce(false, structuredClone(before));
		}
		service.now += 1 + below(scenario.interval);
		if (edits > 0 && random() < edits) editAnything();
		for (let left = below(scenario.operations + 1); left > 0; left -= 1) {
			operate();
			service.now += below(2000);
		}
	}
	service.now += 11 * MINUTE;
	edit(usual);
	await finish();
	for (const lead of service.leads) {
		if (!isWatched(lead)) continue;
		const known = announced.get(lead.id);
		if (!before.has(lead.id) && !vague.has(lead.id) && !known?.created) wrong(`lost: ${lead.id}`);
		const isKnown = !vague.has(lead.id) && !statusVague.has(lead.id);
		if (isKnown && known && known.status !== lead.status) {
			wrong(`last announced as ${known.status}, is ${lead.status}: ${lead.id}`);
		}
	}
	for (const { id, tags } of service.leads.filter(isWatched)) {
		for (const tag of tags.filter((each) => WATCHED_TAGS.includes(each))) {
			const key = `${id} ${tag}`;
			const isKnown = scenario.tagged && !vague.has(id) && !tagVague.has(key);
			if (isKnown && !tagged.has(key)) wrong(`lost: ${key}`);
		}
	}
	if (scenario.tagged) {
		for (const lead of service.leads) removeTag(lead, 'vip');
		await finish();
	}
	// Whatever was vague: by now all is known, and a last change of each must be announced just so.
	const expected = new Map<string, string>();
	const expectedTags = new Map<string, number>();
	for (const lead of service.leads) {
		if (!isWatched(lead) || random() < 0.5) continue;
		const status = STATUSES[(STATUSES.indexOf(lead.status) + 1) % STATUSES.length];
		expected.set(lead.id, `${lead.status} -> ${status}`);
		announced.set(lead.id, { status: lead.status, created: true });
		service.change(lead, { status });
		vague.delete(lead.id);
		statusVague.delete(lead.id);
		remember(lead);
		if (!scenario.tagged || random() < 0.5) continue;
		const key = `${lead.id} vip`;
		expectedTags.set(key, (tagged.get(key) ?? 0) + 1);
		addTag(lead, 'vip');
		gains.set(key, expectedTags.get(key)!);
	}
	const seen = simulation.events;
	await finish();
	const last = expected.size + expectedTags.size;
	if (simulation.events - seen !== last) {
		wrong(`${last} last changes, ${simulation.events - seen} events`);
	}
	for (const [key, count] of expectedTags) {
		if (tagged.get(key) !== count) wrong(`last change of ${key} not announced`);
	}
	for (const [id, change] of expected) {
		const lead = service.byId.get(id);
		if (announced.get(id)?.status !== lead?.status)
			wrong(`last change of ${id} not announced: ${change}`);
	}
	return simulation;
}

function countUp(counts: Map<string, number>, key: string): void {
	counts.set(key, (counts.get(key) ?? 0) + 1);
}

export { DAY, MINUTE };
