import { describeVerification } from '../../../../client/verification.js';
import type { RequestExpectation } from '../../../../contract/control/request-journal.js';
import { METHODS } from '../../../../contract/operation-row.js';
import { OPERATION_IDS } from '../../../../contract/operations.js';
import type { Context } from '../../../command.js';
import { CliError } from '../../../lib/errors.js';
import { readJson } from '../../shared/input.js';
import { oneOf } from '../../shared/one-of.js';
import { type TenantOption, withControl } from '../../shared/running-emulator.js';

interface VerifyOptions extends TenantOption {
  operation?: string | undefined;
  method?: string | undefined;
  path?: string | undefined;
  status?: number | undefined;
  application?: string | undefined;
  body?: string | undefined;
  times?: number | undefined;
}

export async function run({ tenant, ...options }: VerifyOptions, context: Context): Promise<void> {
  const { operation, method, path, status, application, times } = options;
  const expectation: RequestExpectation = {
    operation: oneOf(OPERATION_IDS, operation, '--operation'),
    method: oneOf(METHODS, method?.toUpperCase(), '--method'),
    path,
    status,
    application,
    ...(options.body !== undefined && { body: await readJson(options.body, '--body', context) }),
    times,
  };
  const verification = await withControl(context, (control) =>
    control.call('requests.verify', { tenant, body: expectation }),
  );
  if (!verification.ok) throw new CliError('failed', describeVerification(expectation, verification));
  await context.output.result(verification, { redaction: 'plain' });
}
