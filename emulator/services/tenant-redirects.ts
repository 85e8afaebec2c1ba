import type { Redirects } from '../../src/contract/control/outbound.js';
import type { NetworkPolicy } from '../sandbox/network/policy.js';
import type { SharedStore } from '../store/store.js';
import { SharedValue } from './shared-value.js';

/** The redirects of all tenants. No tenant has this id. */
const ALL = '';

type ByTenant = Readonly<Record<string, Redirects>>;

/** Stubs that stand for hosts, of one tenant or of all: `--redirect`, while the emulator runs. */
export class TenantRedirects {
  readonly state: SharedValue<ByTenant>;

  /** @param network the policy they are added to @param shared present if they are those of several processes */
  constructor(
    private readonly network: NetworkPolicy,
    shared?: SharedStore,
  ) {
    this.state = new SharedValue('redirects', {}, shared);
  }

  list(tenantId = ALL): Redirects {
    return this.state.current[tenantId] ?? {};
  }

  async set(redirects: Redirects, tenantId = ALL): Promise<void> {
    await this.state.change(({ [tenantId]: _, ...others }) =>
      Object.keys(redirects).length === 0 ? others : { ...others, [tenantId]: redirects },
    );
  }

  /** Removes the redirects of a tenant, or of everybody. */
  async clear(tenantId?: string): Promise<void> {
    if (Object.keys(this.state.current).length === 0) return;
    await (tenantId === undefined ? this.state.change(() => ({})) : this.set({}, tenantId));
  }

  /** Returns the policy for what a tenant sends: the same object if it has no redirects. */
  networkOf(tenantId: string): NetworkPolicy {
    const [own, all] = [this.state.current[tenantId], this.state.current[ALL]];
    if (!own && !all) return this.network;
    const { redirects: given } = this.network;
    // The first that matches a host is used, and the last of one name: those of the tenant come first.
    return { ...this.network, redirects: { ...own, ...all, ...given, ...all, ...own } };
  }
}
