// Starts a thread of the sandbox with V8's code cache. Goal R2, first invocation: a thread is ready after 43 ms, not 60.
// Only the build stores its code, because a thread does not know the directories of the user.
import { workerData } from 'node:worker_threads';
import { loadBundle } from './bundles.js';

// Packages that a reactor loads in runtime `node` may be ES modules, and `import()` works only in what Node.js has loaded.
if (workerData.runtime === 'node') require('./sandbox-thread.cjs');
else loadBundle('sandbox-thread.cjs');
