import type { Worker } from 'node:worker_threads';

/** What ends that a thread waits for a debugger, or is paused by one. */
const RESUME = ['Runtime.runIfWaitingForDebugger', 'Debugger.resume'];

const INTERVAL_MS = 50;
const ATTEMPTS = 3;

/**
 * Attaches to a thread that a debugger can pause. It does so at its start: Node.js crashes if it attaches while a thread ends.
 * @returns a function that lets the thread notice that it was terminated, which one that is paused does not
 */
export function attachToThread(worker: Worker): () => void {
  const title = `[worker ${worker.threadId}]`;
  const { Session } = process.getBuiltinModule('node:inspector');
  const session = new Session();
  session.connect();
  let sessionId = '';
  session.on('NodeWorker.attachedToWorker', ({ params }) => {
    if (params.workerInfo.title.startsWith(title)) sessionId = params.sessionId;
  });
  session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
  worker.once('exit', () => session.disconnect());
  const resume = () => {
    for (const [id, method] of RESUME.entries()) {
      const message = JSON.stringify({ id, method });
      session.post('NodeWorker.sendMessageToWorker', { sessionId, message });
    }
  };
  return () => {
    resume();
    let attempts = 0;
    const timer = setInterval(() => {
      attempts += 1;
      // A thread that is about to wait for a debugger does so nevertheless, and one that ends waits until nobody is attached.
      if (attempts < ATTEMPTS) return resume();
      clearInterval(timer);
      session.post('NodeWorker.detach', { sessionId });
    }, INTERVAL_MS);
    worker.once('exit', () => clearInterval(timer));
  };
}
