// Bundles the page of the dashboard: one script, one style sheet.
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { bundle } from './bundle.js';

/** @param {string} root */
export async function buildDashboard(root) {
  await bundle({
    absWorkingDir: root,
    entryPoints: [
      { in: 'emulator/dashboard/page/main.tsx', out: 'workbench' },
      { in: 'emulator/dashboard/page/styles/workbench.css', out: 'workbench' },
    ],
    outdir: 'dist/dashboard',
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    // Browsers of 2024 and newer; style sheets use light-dark().
    target: ['es2023', 'chrome123', 'firefox120', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    tsconfigRaw: {},
    legalComments: 'none',
    logLevel: 'warning',
  });
  await cp(join(root, 'emulator/dashboard/page/index.html'), join(root, 'dist/dashboard/index.html'));
}
