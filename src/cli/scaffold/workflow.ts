/** The pipeline of a new project; docs/ci.md shows the same, and a test runs each of its steps. */
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
      - name: Run the tests beside the reactors
        run: tokenctl reactor test
      - name: Deploy to an emulator, twice - the second time must change nothing
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
      - name: Write down what will change
        run: tokenctl reactor plan --out plan.json
      - name: Do exactly that
        run: tokenctl reactor apply plan.json
`;
