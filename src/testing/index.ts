export {
  type AdjustableClock,
  type Credentials,
  type Emulator,
  type EmulatorEvent,
  type EmulatorOptions,
  type InjectRequest,
  type InjectResponse,
  openEmulator,
  type PerApplication,
  type ReadyInfo,
  StartError,
  type StartErrorCode,
  type StateFile,
} from '../../emulator/index.js';
export {
  type ClockControls,
  type Controls,
  type DeliveryControls,
  type FaultControls,
  type InvocationControls,
  type RequestControls,
  type ResendOptions,
  type SnapshotControls,
  VerificationError,
  type WaitOptions,
  type WebhookEventControls,
} from './controls.js';
export {
  connectEmulator,
  type EmulatorAddress,
  openRunEmulator,
  type RunEmulator,
  type StartedEmulator,
  startEmulator,
  type TestEmulator,
} from './emulator.js';
export type { OutboundMatch, OutboundRequest } from './outbound/match.js';
export {
  type AnsweredCall,
  type DoubleOptions,
  type OutboundControls,
  type Respond,
  UnexpectedCallError,
} from './outbound/outbound.js';
export type { Cassette } from './outbound/replay.js';
export type { OutboundResponse } from './outbound/stub.js';
export type { Seed, Seeded, Tenant } from './tenant.js';
export { CommandError } from './tenant.js';
export {
  isSigned,
  type ReceivedWebhook,
  startWebhookReceiver,
  type WebhookReceiver,
} from './webhook-receiver.js';
