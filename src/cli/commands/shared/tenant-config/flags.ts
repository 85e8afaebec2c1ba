import type { Context } from '../../../command.js';
import type { ProjectOptions } from '../../../reactors/project/project.js';
import { type ProjectFlags, projectOptions } from '../../reactor/shared/project-flags.js';

/** Flags of the commands that plan and apply. The commands for the whole tenant take no files. */
export interface ConfigFlags extends Omit<ProjectFlags, 'file'> {
  file?: string[];
  partial?: boolean | undefined;
  allowWeaken?: boolean | undefined;
  confirm?: string | undefined;
  retarget?: boolean | undefined;
}

/** Converts flags to the options that files are read with. @throws {CliError} if a flag is not valid */
export function configOptions(flags: ConfigFlags, context: Context): ProjectOptions {
  return projectOptions({ ...flags, file: flags.file ?? [] }, context);
}
