import type { GuestNames } from '../../protocol.js';

let names: GuestNames = {};

/** @param json `GuestNames` */
export function setNames(json: string): void {
  names = JSON.parse(json) as GuestNames;
}

/** Returns the names that reactor code may use in addition to those of the service. */
export const getNames = (): GuestNames => names;
