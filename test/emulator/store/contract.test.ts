import { createMemoryStore } from '../../../emulator/store/memory-store.js';
import { describeStore } from './contract.js';

describeStore('memory', async () => createMemoryStore());
