/** Removes ids, whole or shortened, from a text: their hexadecimal digits may hold any number by chance. */
export const withoutIds = (text: string): string => text.replaceAll(/(?=[0-9-]*[a-f])[0-9a-f-]{8,}/g, '');
