/** The environment of the process; read only by run-command.ts. */
export interface ProcessEnvironment {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  platform: NodeJS.Platform;
  home: string;
  /** Which streams are terminals, and the width of stdout if it is one that knows it. */
  terminal: { stdin: boolean; stdout: boolean; stderr: boolean; columns?: number | undefined };
}
