/** Which fields of a record go to the output: see fields/output.ts for what the user may choose. */
import { pick } from 'lodash';

import type { ServiceRecord } from '../contract/envelope';
import type { RecordShape } from '../contract/shape';
import type { ReadParameter } from './request';

/** The answer is wanted as the service gave it, below its envelope. */
export function isRaw(read: ReadParameter): boolean {
	return read('output') === 'raw';
}

/** The fields the user asked for; all of them unless told otherwise. */
export function choose(
	record: ServiceRecord,
	{ simplified }: RecordShape,
	read: ReadParameter,
): ServiceRecord {
	const output = read('output');
	if (output === 'selectedFields') {
		return pick(record, (read('outputFields') as string[] | undefined) ?? []);
	}
	const simplify = output === 'simplified' || read('simplify') === true;
	return simplify && simplified ? pick(record, simplified) : record;
}
