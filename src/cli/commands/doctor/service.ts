import type { ApiKeys } from '../../../client/connection.js';
import type { Permission } from '../../../contract/permissions.js';
import type { Context } from '../../command.js';
import { resolveKeys } from '../../config/keys.js';
import { readRunningState } from '../../config/state-file.js';
import { isLocalTarget, resolveTarget } from '../../config/target.js';
import { type CheckResult, passed, problem } from './check.js';
import { explainNoResponse, isMissing, openProbe, type Probe } from './connection.js';
import { explainForeignResponse } from './identity.js';
import {
  checkAllPermissions,
  checkKey,
  checkWanted,
  explainEndedKeys,
  type KeyOwner,
  type KeySlot,
} from './keys.js';

/**
 * Checks the way to the service, that it is one, the clock, the keys and their permissions, in this order. A problem hides
 * those that follow from it.
 * @param wanted permissions to check instead of all
 */
export async function* checkService(
  wanted: readonly Permission[] | undefined,
  context: Context,
): AsyncGenerator<CheckResult, void, void> {
  const { settings } = context;
  if (isLocalTarget(settings)) return yield await checkLocal(context);
  const target = await resolveTarget(settings);
  const probe = await openProbe(target, context);
  try {
    yield passed('target', `${target.baseUrl} (${target.source})`);
    if (probe.proxy !== undefined) yield passed('proxy', new URL(probe.proxy).host);
    const sentAt = Date.now();
    // Without a key: nobody but the service gets one.
    const response = await probe.get('/applications/key');
    const receivedAt = Date.now();
    if (isMissing(response)) return yield await explainNoResponse(response, probe);
    const foreign = await explainForeignResponse(response, probe);
    if (foreign) return yield foreign;
    yield passed('service', 'answers');
    const date = Date.parse(response.headers.date ?? '');
    if (!Number.isNaN(date)) yield checkClock(date, (sentAt + receivedAt) / 2, settings.platform);
    yield* await checkKeys(await resolveKeys(settings, target), wanted, probe);
  } finally {
    await probe.close();
  }
}

/** `--local` opens the data directory, which no other process may have open. */
async function checkLocal({ settings }: Context): Promise<CheckResult> {
  const running = await readRunningState(settings);
  if (!running) return passed('service', 'the emulator in this process (--local)');
  const found = `--local cannot open ${running.data_dir}: process ${running.pid} has it open`;
  return problem('service', 'failed', found, 'Leave --local out, or: tokenctl emulator stop');
}

async function checkKeys(
  keys: ApiKeys,
  wanted: readonly Permission[] | undefined,
  probe: Probe,
): Promise<CheckResult[]> {
  const entries = Object.entries(keys).filter((entry): entry is [KeySlot, string] => entry[1] !== undefined);
  if (entries.length === 0) {
    const fix = 'tokenctl auth login, or set TOKENCTL_API_KEY';
    return [problem('keys', 'unauthorized', 'there is no API key', fix)];
  }
  const checked = await Promise.all(
    entries.map(async ([slot, key]) => ({ key, ...(await checkKey(slot, key, probe)) })),
  );
  const results = [...checked.map(({ result }) => result), ...explainEndedKeys(keys, probe.target)];
  // All keys meet the same problem if it is not one of the key.
  const isSame = (one: CheckResult, other: CheckResult) =>
    one.check === other.check && one.detail === other.detail;
  const distinct = results.filter((one, at) => results.findIndex((other) => isSame(one, other)) === at);
  if (results.some(({ status }) => status === 'problem')) return distinct;
  const owners = new Map(
    checked.flatMap(({ key, owner }): [string, KeyOwner][] => (owner ? [[key, owner]] : [])),
  );
  return [...distinct, ...(wanted ? checkWanted(wanted, keys, owners) : checkAllPermissions(owners))];
}

/** A difference below it does not matter. Milliseconds. */
const TOLERANCE_MS = 60_000;
/** The header has whole seconds. */
const HALF_SECOND_MS = 500;

const FIXES: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'sudo sntp -sS time.apple.com',
  win32: 'w32tm /resync',
};

/**
 * Compares the clock of this machine with the `Date` header of a response. An emulator sends the time of its machine there,
 * not that of its clock. Both in milliseconds since 1970.
 */
function checkClock(date: number, now: number, platform: NodeJS.Platform): CheckResult {
  const aheadMs = now - (date + HALF_SECOND_MS);
  if (Math.abs(aheadMs) < TOLERANCE_MS) return passed('clock', 'agrees with that of the service');
  const direction = aheadMs > 0 ? 'ahead of' : 'behind';
  const detail = `this machine is ${formatDifference(Math.abs(aheadMs))} ${direction} the service`;
  return problem('clock', 'failed', detail, FIXES[platform] ?? 'sudo timedatectl set-ntp true');
}

function formatDifference(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}
