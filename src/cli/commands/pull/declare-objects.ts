import { basename } from 'node:path';
import { RESOURCES } from '../../../contract/resources.js';
import type { Context } from '../../command.js';
import { failureLines } from '../../lib/errors.js';
import { toFailure } from '../../lib/to-failure.js';
import {
  type DeclaredCode,
  type PulledCode,
  type PulledFile,
  planCode,
  type ReferenceWriter,
  toRows,
} from '../../tenant-config/pull/pulled-files.js';
import {
  isBasic,
  type LeftOut,
  type PulledObject,
  type PulledTenant,
} from '../../tenant-config/pull/pulled-tenant.js';
import { confirmOverwrite } from '../shared/project-files.js';
import type { CodeFiles } from './code-files.js';
import type { Project } from './project.js';

export interface Written {
  files: string[];
  variables: string[];
  leftOut: LeftOut[];
}

export interface PullOptions {
  directory: string;
  project: Project;
  code: CodeFiles;
  writer: ReferenceWriter;
  force: boolean | undefined;
}

export const toLeftOut = (
  { kind, content }: Pick<PulledObject, 'kind' | 'content'>,
  error: unknown,
): LeftOut => ({
  kind,
  name: content.name,
  reason: failureLines(toFailure(error)).join('; '),
});

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
  const [main] = project.documents;
  const isNew = main.saved === undefined;
  await confirmOverwrite(
    [...(isNew ? [{ path: basename(main.path), text: '' }] : []), ...listFiles(planned), ...writer.files],
    directory,
    { force },
    context,
  );
  const { declared, leftOut } = await writeCode(planned, code, context.signal);
  const { profile } = context.settings;
  if (isNew && profile !== undefined) main.edit({ path: ['profile'], value: profile });
  const own = tenant.objects.find(({ kind }) => kind === 'tenant');
  if (own) main.edit({ path: ['tenant'], value: own.content });
  for (const [kind, rows] of toRows(tenant, declared))
    if (rows.length > 0 || (isNew && isBasic(kind))) main.add([RESOURCES[kind].collection], ...rows);
  noticeDeleted(tenant, declared, context);
  return {
    files: listFiles(declared).map(({ path }) => path),
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
