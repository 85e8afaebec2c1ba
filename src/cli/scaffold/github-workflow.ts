import type { ScaffoldFile } from './files.js';
import { DEFAULT_ENVIRONMENTS, quoteName } from './pipeline.js';

const SETUP = `      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22
          cache: npm
      - run: npm ci
`;

/** The settings of a GitHub environment; docs/ci.md says which keys it needs. */
const TARGET = `    env:
      ENVIRONMENT: \${{ matrix.environment }}
      BRANCH: \${{ github.base_ref || github.ref_name }}
      GH_TOKEN: \${{ github.token }}
      TOKENCTL_BASE_URL: \${{ vars.TOKENCTL_BASE_URL }}
      TOKENCTL_MANAGEMENT_KEY: \${{ secrets.TOKENCTL_MANAGEMENT_KEY }}
      # The variables that the manifest refers to:
      # PROCESSOR_KEY: \${{ secrets.PROCESSOR_KEY }}
`;

const RECORDS = `      - name: Read what earlier runs recorded
        run: npx tokenctl lock pull --environment "$ENVIRONMENT" --branch "$BRANCH"
`;

/** Names a plan by the files that it is made from, so that a merge finds the plan of its pull request. */
const PLAN_NAME =
  // biome-ignore lint/suspicious/noTemplateCurlyInString: expressions of GitHub.
  "plan-${{ matrix.environment }}-${{ hashFiles('**', '!.git/**', '!node_modules/**', '!tokenctl.*lock.json', '!tokenctl.*versions/**', '!plan.*') }}";

const matrix = (environments: readonly string[]): string => `      matrix:
        environment: [${environments.map(quoteName).join(', ')}]
`;

/**
 * Returns the workflow of a new project; docs/ci.md explains it, and a test runs each of its steps in a fresh clone.
 * @param names of the environments, in the order in which they are applied
 */
export function gitHubWorkflow(names: readonly string[]): ScaffoldFile {
  const environments = matrix(names.length > 0 ? names : DEFAULT_ENVIRONMENTS);
  const text = `name: tenant

on:
  pull_request:
  push:
    branches: [main]
  schedule:
    - cron: '17 5 * * *'
  # Plans anew what is merged, and applies that.
  workflow_dispatch:

permissions:
  contents: read

env:
  # npx runs what npm ci has installed, and downloads nothing.
  NPM_CONFIG_YES: 'false'
  # Signs plans: what one job planned, another one applies.
  TOKENCTL_DIGEST_KEY: \${{ secrets.TOKENCTL_DIGEST_KEY }}

jobs:
  test:
    if: github.event_name != 'schedule'
    runs-on: ubuntu-latest
    steps:
${SETUP}      - name: Check the types of the reactors
        run: npx tsc
      - name: Check that their types are those of their tests
        run: npx tokenctl reactor types --check
      - name: Run the reactor tests
        run: npx tokenctl reactor test
      - name: Run the project's own tests against an emulator of the manifest, with made-up secrets
        run: npx tokenctl emulator exec --seed tokenctl.yaml -- npm run integration --if-present

  plan:
    # A pull request from a fork gets no secrets.
    if: github.event_name == 'workflow_dispatch' || github.event.pull_request.head.repo.full_name == github.repository
    needs: test
    runs-on: ubuntu-latest
    strategy:
      fail-fast: false
${environments}    environment: \${{ matrix.environment }}-plan
    permissions:
      contents: read
      pull-requests: write
${TARGET}    steps:
${SETUP}${RECORDS}      - name: Plan what a merge would change
        id: plan
        run: npx tokenctl plan --environment "$ENVIRONMENT" --out plan.json --summary plan.md --output table
      - name: Keep the plan
        uses: actions/upload-artifact@v4
        with:
          name: ${PLAN_NAME}
          path: plan.json
          overwrite: true
      - name: Show the plan on the pull request
        if: github.event_name == 'pull_request' && steps.plan.outputs.changed == 'true'
        run: gh pr comment "$PULL_REQUEST" --body-file plan.md
        env:
          PULL_REQUEST: \${{ github.event.number }}

  apply:
    if: >-
      !cancelled() && needs.test.result == 'success' && needs.plan.result != 'failure' &&
      (github.event_name == 'push' || github.event_name == 'workflow_dispatch')
    needs: [test, plan]
    runs-on: ubuntu-latest
    strategy:
      # One after the other, each when the reviewers of its environment have approved it.
      max-parallel: 1
${environments}    environment: \${{ matrix.environment }}
    concurrency: tenant-\${{ matrix.environment }}
    permissions:
      actions: read
      contents: write
${TARGET}      TOKENCTL_PRIVATE_KEY: \${{ secrets.TOKENCTL_PRIVATE_KEY }}
    steps:
${SETUP}${RECORDS}      - name: Get the plan that was made of these files
        run: gh run download --name "$PLAN"
        env:
          PLAN: ${PLAN_NAME}
      - name: Apply this plan
        id: apply
        run: npx tokenctl apply plan.json --environment "$ENVIRONMENT"
      - name: Record what was applied
        if: \${{ always() && steps.apply.outcome != 'skipped' }}
        run: npx tokenctl lock push --environment "$ENVIRONMENT" --branch "$BRANCH"

  drift:
    if: github.event_name == 'schedule'
    runs-on: ubuntu-latest
    strategy:
      fail-fast: false
${environments}    environment: \${{ matrix.environment }}-plan
${TARGET}    steps:
${SETUP}      - name: Fail if the tenant is not what was merged
        run: npx tokenctl diff --environment "$ENVIRONMENT" --exit-code --output table
`;
  return { path: '.github/workflows/tenant.yml', text };
}
