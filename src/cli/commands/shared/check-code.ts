import { createReactorLoader } from '../../emulator/reactor-loader.js';
import { type CodeProblem, ReactorCodeError } from '../../reactors/build/code-problem.js';

const HINT = 'To store it all the same, send the request yourself: tokenctl api --help.';

/**
 * Checks code before it is uploaded. The service would store it and answer what invokes it with an error.
 * @param codes by the property of the request that holds them; undefined for one that is not set
 * @throws {ReactorCodeError} if code does not parse, exports no function, or exceeds a limit while it is loaded:
 * `while(true){}` after 20 seconds
 */
export async function assertLoadable(codes: Readonly<Record<string, string | undefined>>): Promise<void> {
  const loader = createReactorLoader();
  const problems: CodeProblem[] = [];
  try {
    for (const [file, code] of Object.entries(codes)) {
      const problem = code === undefined ? undefined : await loader.load(code, file);
      // What the code throws may depend on the runtime of the service, such as a module that only Node.js has.
      if (problem && !problem.isThrown) problems.push({ ...problem, file });
    }
  } finally {
    await loader.close();
  }
  if (problems.length > 0) throw new ReactorCodeError('The code is not that of a reactor.', problems, HINT);
}
