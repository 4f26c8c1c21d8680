import { isRecord } from '../contract/envelope';
import type { Operation } from '../operation';
import { InputProblem } from '../problem';

/** Rule of an update: at least one field is given. */
export const somethingToUpdate: Operation['check'] = ({ body }) => {
	if (isRecord(body) && Object.keys(body).length > 0) return;
	throw new InputProblem(
		'Nothing to update was given',
		'Add at least one field under "Update Fields".',
	);
};
