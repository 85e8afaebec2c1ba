import { Page } from '../components/page.js';
import { EmptyState } from '../components/states.js';

/** Stands for a view that calls the service, for a tenant whose keys are not known. */
export function NoKeys() {
  return (
    <Page title="Keys not known">
      <EmptyState
        title="This view calls the service with the keys of the tenant's seeded applications."
        command="tokenctl emulator keys"
      >
        The emulator knows the keys of tenants that it created. This tenant was imported, or its seeded
        applications were deleted. Choose another tenant above, or see its <a href="#/tokens">tokens</a>,
        whose data is masked.
      </EmptyState>
    </Page>
  );
}
