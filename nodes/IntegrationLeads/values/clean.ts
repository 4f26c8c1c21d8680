/** Removes characters that a database may refuse, and with them the whole request. Pure. */

/** Control characters other than line breaks and tabs, and halves of characters that are not one. */
const UNSENDABLE = /[^\P{Cc}\t\n\r]|\p{Cs}/gu;

/** Returns the text without NUL, other control characters and unpaired surrogates. Line breaks and tabs stay. */
export const cleanText = (text: string): string => text.replace(UNSENDABLE, '');
