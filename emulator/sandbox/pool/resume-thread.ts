import type { Worker } from 'node:worker_threads';

/** What ends that a thread waits for a debugger, or is paused by one. */
const RESUME = ['Runtime.runIfWaitingForDebugger', 'Debugger.resume'];

const INTERVAL_MS = 50;

/** Lets a thread that was terminated notice it, which one that a debugger has paused does not. */
export function resumeThread(worker: Worker): void {
  if (worker.threadId < 0) return;
  const title = `[worker ${worker.threadId}]`;
  const { Session } = process.getBuiltinModule('node:inspector');
  const session = new Session();
  session.connect();
  session.on('NodeWorker.attachedToWorker', ({ params: { sessionId, workerInfo } }) => {
    if (!workerInfo.title.startsWith(title)) return;
    const resume = () => {
      for (const [id, method] of RESUME.entries()) {
        const message = JSON.stringify({ id, method });
        session.post('NodeWorker.sendMessageToWorker', { sessionId, message });
      }
    };
    resume();
    // A thread that is about to wait for a debugger does so nevertheless.
    const timer = setInterval(resume, INTERVAL_MS);
    worker.once('exit', () => clearInterval(timer));
  });
  worker.once('exit', () => session.disconnect());
  session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
}
