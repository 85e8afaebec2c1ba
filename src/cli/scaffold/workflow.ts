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
      TOKENCTL_BASE_URL: \${{ vars.TOKENCTL_BASE_URL }}
      TOKENCTL_MANAGEMENT_KEY: \${{ secrets.TOKENCTL_MANAGEMENT_KEY }}
      # The variables that the manifest refers to:
      # PROCESSOR_KEY: \${{ secrets.PROCESSOR_KEY }}
`;

/** The CI workflow of a new project. docs/ci.md shows it, and a test runs each of its steps in a fresh clone. */
export const WORKFLOW = `name: tenant

on:
  pull_request:
  push:
    branches: [main]

permissions:
  contents: read

env:
  # npx runs what npm ci has installed, and downloads nothing.
  NPM_CONFIG_YES: 'false'

jobs:
  test:
    runs-on: ubuntu-latest
    steps:
${SETUP}      - name: Check the types of the reactors
        run: npx tsc && npx tokenctl reactor types --check
      - name: Run the reactor tests
        run: npx tokenctl reactor test
      - name: Run the project's own tests against an emulator of the manifest, with made-up secrets
        run: npx tokenctl emulator exec --seed tokenctl.yaml -- npm run integration --if-present

  plan:
    if: github.event_name == 'pull_request' && github.event.pull_request.head.repo.full_name == github.repository
    needs: test
    runs-on: ubuntu-latest
    strategy:
      fail-fast: false
      matrix:
        environment: [staging, production]
    environment: \${{ matrix.environment }}-plan
${TARGET}    steps:
${SETUP}      - name: Show what a merge would change
        run: npx tokenctl plan --environment "$ENVIRONMENT" --output table

  apply:
    if: github.event_name == 'push'
    needs: test
    runs-on: ubuntu-latest
    strategy:
      # One after the other: production waits for staging, and for the reviewers of its environment.
      max-parallel: 1
      matrix:
        environment: [staging, production]
    environment: \${{ matrix.environment }}
    concurrency: tenant-\${{ matrix.environment }}
    permissions:
      contents: write
${TARGET}      TOKENCTL_PRIVATE_KEY: \${{ secrets.TOKENCTL_PRIVATE_KEY }}
      BRANCH: \${{ github.ref_name }}
    steps:
${SETUP}      - name: Read what earlier runs recorded
        run: |
          git fetch --quiet origin "$BRANCH"
          git ls-tree --name-only FETCH_HEAD "tokenctl.$ENVIRONMENT.lock.json" "tokenctl.$ENVIRONMENT.versions" |
            xargs --no-run-if-empty git checkout --quiet FETCH_HEAD --
      - name: Plan
        run: npx tokenctl plan --environment "$ENVIRONMENT" --out plan.json
      - name: Apply the plan
        run: npx tokenctl apply plan.json --environment "$ENVIRONMENT"
      - name: Record what was applied
        if: \${{ always() && hashFiles('plan.json') != '' }}
        run: |
          for attempt in 1 2 3; do
            git fetch --quiet origin "$BRANCH"
            git reset --quiet FETCH_HEAD
            for record in lock.json versions; do
              test ! -e "tokenctl.$ENVIRONMENT.$record" || git add --all "tokenctl.$ENVIRONMENT.$record"
            done
            git diff --cached --quiet && exit 0
            git -c user.name=tokenctl -c user.email=tokenctl@localhost commit --quiet \\
              --message "Record what was applied to $ENVIRONMENT [skip ci]"
            git push --quiet origin "HEAD:$BRANCH" && exit 0
          done
          echo "What was applied to $ENVIRONMENT could not be recorded." >&2
          exit 1
`;
