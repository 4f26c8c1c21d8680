import { isText, type Json } from '../reply.mts';

/** When a lead was created, in epoch milliseconds; NaN when it does not say. */
export const createdMs = ({ createdAt }: Json) => (isText(createdAt) ? Date.parse(createdAt) : NaN);

/** The tags of a lead, or of what is sent of one. */
export const tagsOf = ({ tags }: Json) => (Array.isArray(tags) ? (tags as unknown[]) : []);

export const count = (n: number) => `${n} lead${n === 1 ? '' : 's'}`;
