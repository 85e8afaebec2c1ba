import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { atMost, type Measurement } from './measurement.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** T1: the whole of `npm test`. A suite that fails is measured too, since it fails elsewhere. */
export async function testSuite(): Promise<Measurement> {
  const began = performance.now();
  const { status } = spawnSync('npm', ['test'], { cwd: ROOT, stdio: 'ignore' });
  const minutes = (performance.now() - began) / 60_000;
  return atMost('T1', 'npm test', 4, minutes, ' min', status === 0 ? '' : ' (tests failed)');
}
