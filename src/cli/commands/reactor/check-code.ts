import { createReactorLoader } from '../../emulator/reactor-loader.js';
import { ReactorCodeError } from '../../reactors/build/code-problem.js';

const HINT = 'To store it all the same, send the request yourself: tokenctl api --help.';

/**
 * Checks code before it is uploaded. The service would store it and answer its invocations with 422.
 * @throws {ReactorCodeError} if the code does not parse or exports no function
 */
export async function assertLoadable(code: string): Promise<void> {
  const loader = createReactorLoader();
  try {
    const problem = await loader.load(code, 'code');
    // What the code throws may depend on the runtime of the service, such as a module that only Node.js has.
    if (problem && !problem.isThrown)
      throw new ReactorCodeError('The code is not that of a reactor.', [{ ...problem, file: 'code' }], HINT);
  } finally {
    await loader.close();
  }
}
