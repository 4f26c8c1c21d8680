import type { RecordShape } from './shape';

/** What became of one lead of a batch: an entry of the answer to `POST /sync`, which spec 4.6 only names. */
export const pushed: RecordShape = { singular: 'lead', plural: 'results', schema: 'BatchResult' };
