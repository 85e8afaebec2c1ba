import { spawnSync } from 'node:child_process';
import { installGlobally, packPackage, ROOT } from '../test/support/packed-package.js';
import { atMost, type Measurement } from './measurement.js';
import { atEnd } from './servers.js';

const MEGABYTE = 1_000_000;

/** N1: a global install of the packed tarball. */
export async function globalInstall(): Promise<Measurement[]> {
  const packed = await packPackage();
  atEnd(packed.remove);
  const { packages, bytes } = await installGlobally(packed);
  return [
    atMost('N1', 'packages of a global install', 12, packages, ''),
    atMost('N1', 'size of a global install', 25, bytes / MEGABYTE, ' MB'),
  ];
}

/** T1: the whole of `npm test`. A suite that fails is measured too, since it fails elsewhere. */
export async function testSuite(): Promise<Measurement> {
  const began = performance.now();
  const { status } = spawnSync('npm', ['test'], { cwd: ROOT, stdio: 'ignore' });
  const ms = performance.now() - began;
  return atMost('T1', 'npm test', 3, ms / 60_000, ' min', status === 0 ? '' : ' (tests failed)');
}
