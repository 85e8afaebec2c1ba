import { Page } from '../components/page.js';
import { EmptyState } from '../components/states.js';

export function NotFound() {
  return (
    <Page title="Not found">
      <EmptyState title="There is no such view.">
        The address may be that of another version. <a href="#/">Go to the overview.</a>
      </EmptyState>
    </Page>
  );
}
