import type { Resource } from '../operation';
import { apiRequest } from './apiRequest';
import { leads } from './lead';

/** Every resource of the node; the key is the stored value. */
export const resources: Record<string, Resource> = {
	apiRequest,
	lead: leads,
};
