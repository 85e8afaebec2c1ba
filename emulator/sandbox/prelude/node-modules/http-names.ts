import { callHost } from '../bridge/host-bridge.js';

/** `http.METHODS` and `http.STATUS_CODES` of the host. */
export const { METHODS, STATUS_CODES } = callHost<{
  METHODS: string[];
  STATUS_CODES: Record<string, string>;
}>('httpNames', null);
