import type { Context } from '../../command.js';
import { failureLines } from '../../lib/errors.js';
import { toFailure } from '../../lib/to-failure.js';
import {
  type DeclaredCode,
  formatManifest,
  type PulledCode,
  type PulledFile,
  planCode,
  type ReferenceWriter,
  toRows,
} from '../../tenant-config/pull/pulled-files.js';
import type { LeftOut, PulledTenant } from '../../tenant-config/pull/pulled-tenant.js';
import type { Content, Kind } from '../../tenant-config/resources/content.js';
import { confirmOverwrite, writeProjectFile } from '../shared/project-files.js';
import type { CodeFiles } from './code-files.js';
import type { Project } from './project.js';

const MANIFEST = 'tokenctl.yaml';

/** What was written. */
export interface Written {
  /** Relative to the directory. */
  files: string[];
  variables: string[];
  leftOut: LeftOut[];
}

export interface PullOptions {
  directory: string;
  /** undefined if there is none, or it is overwritten. */
  project: Project | undefined;
  code: CodeFiles;
  writer: ReferenceWriter;
  force: boolean | undefined;
}

export const toLeftOut = ({ kind, content }: { kind: Kind; content: Content }, error: unknown): LeftOut => ({
  kind,
  name: content.name,
  reason: failureLines(toFailure(error)).join('; '),
});

/** Writes the code of objects, and leaves out what a manifest cannot declare. */
async function writeCode(
  objects: readonly PulledCode[],
  code: CodeFiles,
  signal: AbortSignal,
): Promise<{ declared: DeclaredCode[]; leftOut: LeftOut[] }> {
  const declared: DeclaredCode[] = [];
  const leftOut: LeftOut[] = [];
  for (const object of objects) {
    try {
      declared.push({ ...object, verbatim: await code.write(Object.values(object.files)) });
    } catch (error) {
      signal.throwIfAborted();
      leftOut.push(toLeftOut(object, error));
    }
  }
  return { declared, leftOut };
}

const listFiles = (objects: readonly PulledCode[]): PulledFile[] =>
  objects.flatMap(({ files }) => Object.values(files));

/** Writes objects that are not declared yet: their code, and their rows in the manifest. */
export async function declareObjects(
  tenant: PulledTenant,
  { directory, project, code, writer, force }: PullOptions,
  context: Context,
): Promise<Written> {
  const planned = planCode(tenant, writer);
  const manifestFile = project ? [] : [{ path: MANIFEST, text: '' }];
  await confirmOverwrite(
    [...manifestFile, ...listFiles(planned), ...writer.files],
    directory,
    { force },
    context,
  );
  const { declared, leftOut } = await writeCode(planned, code, context.signal);
  if (project) {
    const [main] = project.documents;
    for (const [list, rows] of toRows(tenant, declared)) for (const row of rows) main.add([list], row);
    const [content] = tenant.contents.tenant ?? [];
    if (content) main.edit({ path: ['tenant'], value: content });
  } else {
    const text = formatManifest(tenant, declared, context.settings.profile);
    await writeProjectFile(directory, { path: MANIFEST, text });
  }
  noticeDeleted(tenant, declared, context);
  return {
    files: [...manifestFile, ...listFiles(declared)].map(({ path }) => path),
    variables: declared.flatMap((object) => object.variables),
    leftOut: [...tenant.leftOut, ...leftOut],
  };
}

function noticeDeleted(tenant: PulledTenant, declared: readonly DeclaredCode[], { output }: Context): void {
  for (const { kind, content } of declared)
    if (content.application && tenant.deleted.has(content.application))
      output.notice(
        `The ${kind} ${JSON.stringify(content.name)} is declared without its application, ${content.application}, which no longer exists.`,
      );
}
