import { installGlobally, packPackage } from '../test/support/packed-package.js';
import { atMost, type Measurement } from './measurement.js';

const MEGABYTE = 1_000_000;

/** N1: a global install of the packed tarball. */
export async function globalInstall(): Promise<Measurement[]> {
  const packed = await packPackage();
  try {
    const { packages, bytes } = await installGlobally(packed);
    return [
      atMost('N1', 'packages of a global install', 12, packages, ''),
      atMost('N1', 'size of a global install', 25, bytes / MEGABYTE, ' MB'),
    ];
  } finally {
    await packed.remove();
  }
}
