import { commands as deploy } from './deploy.js';
import { commands as local } from './local.js';
import { commands as operations } from './operations.js';

export const commands = [...deploy, ...local, ...operations];
