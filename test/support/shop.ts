import { cp, mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SHOP = fileURLToPath(new URL('../../fixtures/shop', import.meta.url));

/** Copies the shop of fixtures/shop, with nothing installed, to a temporary directory that the caller removes. */
export async function copyShop(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'tokenctl-shop-'));
  await cp(SHOP, directory, { recursive: true, filter: (source) => !source.includes('shop/node_modules') });
  await mkdir(join(directory, 'node_modules'));
  return directory;
}
