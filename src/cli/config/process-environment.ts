/** The environment of the process; read only by run-command.ts. */
export interface ProcessEnvironment {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  platform: NodeJS.Platform;
  home: string;
  terminal: { stdin: boolean; stdout: boolean; stderr: boolean };
}
