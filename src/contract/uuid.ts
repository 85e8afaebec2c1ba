/** The pattern of a UUID, to be compiled with the flags that a caller needs. Ignore case: RFC 9562 accepts both. */
export const UUID_PATTERN = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

const UUID = new RegExp(`^${UUID_PATTERN}$`, 'i');

export const isUuid = (text: string): boolean => UUID.test(text);
