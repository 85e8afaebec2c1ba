/** Formats a number of things: `1 token`, `2 tokens`. @param noun in the singular, with a plural in -s */
export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
