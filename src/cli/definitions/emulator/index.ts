import { commands as controls } from './controls.js';
import { commands as data } from './data.js';
import { commands as run } from './run.js';
import { commands as watch } from './watch.js';

export const commands = [...run, ...controls, ...watch, ...data];
