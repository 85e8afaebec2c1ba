export type { OutboundRequest, OutboundResponse } from '../../emulator/doubles/stub.js';
export type {
  AdjustableClock,
  Credentials,
  Emulator,
  EmulatorEvent,
  EmulatorOptions,
  InjectRequest,
  InjectResponse,
  PerApplication,
  ReadyInfo,
  StateFile,
} from '../../emulator/index.js';
export { StartError, type StartErrorCode } from '../../emulator/lib/start-error.js';
export {
  type ClockControls,
  type ClockStep,
  type Controls,
  type DeliveryControls,
  type FaultControls,
  type InvocationControls,
  type LeakControls,
  type RequestControls,
  type ResendOptions,
  type SnapshotControls,
  type TriggerOptions,
  VerificationError,
  type WaitOptions,
  type WebhookEventControls,
} from './controls.js';
export {
  connectEmulator,
  type EmulatorAddress,
  type NewTenant,
  openEmulator,
  type StartedEmulator,
  startEmulator,
  type TestEmulator,
} from './emulator.js';
export type { Har } from './outbound/har.js';
export type { AnsweredCall, OutboundMatch } from './outbound/match.js';
export {
  type DoubleOptions,
  type OutboundControls,
  type Respond,
  UnexpectedCallError,
} from './outbound/outbound.js';
export type { Cassette } from './outbound/replay.js';
export { CommandError } from './run-command.js';
export { openRunEmulator, type RunEmulator, type RunOptions } from './run-emulator.js';
export type { ManifestOptions, Seed, Seeded, Tenant } from './tenant.js';
export {
  isSigned,
  type ReceivedWebhook,
  startWebhookReceiver,
  type WebhookReceiver,
} from './webhook-receiver.js';
