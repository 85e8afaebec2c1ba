export const DEFAULT_ENVIRONMENTS = ['staging', 'production'];

/** Quotes the name of an environment for YAML where that is needed. */
export const quoteName = (name: string): string => (/^[\w-]+$/.test(name) ? name : JSON.stringify(name));
