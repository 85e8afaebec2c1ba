import * as buffer from 'buffer';
import events from 'events';
import { format, inspect } from 'node-inspect-extracted';
import type { ModuleTable } from './require.js';

export const moduleTable = (): ModuleTable => ({
  builtin: { buffer: () => buffer, events: () => events, util: () => ({ format, inspect }) },
  own: {},
  bundled: [],
});
