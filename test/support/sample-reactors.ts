import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { bundleReactor } from '../../src/cli/reactors/build/bundle.js';
import { type ReactorTestFile, readTestFile } from '../../src/cli/reactors/test/test-file.js';

const SAMPLES = new URL('../../fixtures/reactors/', import.meta.url);

/** Reads the test cases of a sample reactor, which `tokenctl reactor test` runs as well. */
export function readSample(name: string): Promise<ReactorTestFile> {
  return readTestFile(samplePath(`${name}.test.json`));
}

function samplePath(file: string): string {
  return fileURLToPath(new URL(file, SAMPLES));
}

/** Returns the code that is deployed: TypeScript bundled with its packages, JavaScript unchanged. */
export async function deployedCode(file: string): Promise<string> {
  if (!file.endsWith('.ts')) return readFile(samplePath(file), 'utf8');
  const { code } = await bundleReactor({ file: samplePath(file), cwd: fileURLToPath(SAMPLES), external: [] });
  return code;
}
