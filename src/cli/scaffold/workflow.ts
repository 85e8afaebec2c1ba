/** The CI workflow of a new project. docs/ci.md shows it, and a test runs each of its steps. */
export const WORKFLOW = `name: reactors

on:
  pull_request:
  push:
    branches: [main]

permissions:
  contents: read

jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22
      - name: Install tokenctl
        run: npm install --global tokenctl
      - name: Run the reactor tests
        run: tokenctl reactor test
      - name: Deploy to an emulator; a second deployment must change nothing
        run: tokenctl emulator exec -- sh -c 'tokenctl reactor deploy && tokenctl reactor diff --exit-code'

  plan:
    if: github.event_name == 'pull_request' && github.event.pull_request.head.repo.full_name == github.repository
    needs: test
    runs-on: ubuntu-latest
    env:
      TOKENCTL_BASE_URL: \${{ vars.TOKENCTL_BASE_URL }}
      TOKENCTL_MANAGEMENT_KEY: \${{ secrets.TOKENCTL_MANAGEMENT_KEY }}
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22
      - name: Install tokenctl
        run: npm install --global tokenctl
      - name: Show what a merge would change
        run: tokenctl reactor diff --output table

  deploy:
    if: github.event_name == 'push'
    needs: test
    runs-on: ubuntu-latest
    concurrency: reactors
    env:
      TOKENCTL_BASE_URL: \${{ vars.TOKENCTL_BASE_URL }}
      TOKENCTL_MANAGEMENT_KEY: \${{ secrets.TOKENCTL_MANAGEMENT_KEY }}
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22
      - name: Install tokenctl
        run: npm install --global tokenctl
      - name: Plan the deployment
        run: tokenctl reactor plan --out plan.json
      - name: Apply the plan
        run: tokenctl reactor apply plan.json
`;
