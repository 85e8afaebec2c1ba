/** Replaces token data and configuration values that are not shown. Commands that write refuse it as a value. */
export const PLACEHOLDER = '[hidden]';
