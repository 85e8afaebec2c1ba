import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { FullConfig } from '@playwright/test';
import { type Redact, redactFile, redactFiles, redactHtmlReport } from './redact-files.js';

type Options = Partial<Record<'outputFile' | 'outputFolder' | 'outputDir', string>>;

/** Redacts the files of the reporters that write data: `html`, `blob`, and those with an `outputFile`. */
export async function redactReports(config: FullConfig, redact: Redact): Promise<void> {
  const from = config.configFile === undefined ? process.cwd() : dirname(config.configFile);
  for (const [name, given] of config.reporter) {
    const { outputFile, outputFolder, outputDir } = (given ?? {}) as Options;
    const { PLAYWRIGHT_HTML_OUTPUT_DIR, PLAYWRIGHT_HTML_REPORT } = process.env;
    const html = PLAYWRIGHT_HTML_OUTPUT_DIR || PLAYWRIGHT_HTML_REPORT;
    if (outputFile) await redactFile(resolve(from, outputFile), redact);
    else if (name === 'html')
      await redactHtmlReport(html ? resolve(html) : locate(from, outputFolder, 'playwright-report'), redact);
    else if (name === 'blob') await redactFiles(locate(from, outputDir, 'blob-report'), redact);
  }
}

/** Finds a directory as Playwright does: by default next to the package.json of the project. */
function locate(from: string, given: string | undefined, name: string): string {
  if (given) return resolve(from, given);
  let project = from;
  while (!existsSync(join(project, 'package.json')) && dirname(project) !== project)
    project = dirname(project);
  return join(existsSync(join(project, 'package.json')) ? project : process.cwd(), name);
}
