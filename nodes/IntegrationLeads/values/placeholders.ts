/** What programs, spreadsheets and language models write where they have no value; the last is an object as text. */
const PLACEHOLDER = /^(?:null|undefined|nan|none|#?n\/a|\[object object\])$/i;

/** Whether a text, as a whole and in any case, only stands for no value. */
export const isPlaceholder = (text: string) => PLACEHOLDER.test(text.trim());
