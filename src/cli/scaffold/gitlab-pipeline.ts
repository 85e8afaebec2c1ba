import type { ScaffoldFile } from './files.js';
import { DEFAULT_ENVIRONMENTS, quoteName } from './pipeline.js';

const applyJob = (name: string, previous: string | undefined): string => `
${JSON.stringify(`apply ${name}`)}:
  extends: .apply${previous === undefined ? '' : `\n  needs: [${JSON.stringify(`apply ${previous}`)}, plan]`}
  variables:
    ENVIRONMENT: ${quoteName(name)}
`;

/**
 * Returns the pipeline of a new project; docs/ci.md explains it, and a test runs it in a fresh clone.
 * @param names of the environments, in the order in which they are applied
 */
export function gitLabPipeline(names: readonly string[]): ScaffoldFile {
  const environments = names.length > 0 ? names : DEFAULT_ENVIRONMENTS;
  const jobs = environments.map((name, index) => applyJob(name, environments[index - 1])).join('');
  const text = `workflow:
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH

default:
  image: node:22
  before_script:
    - npm ci

variables:
  # npx runs what npm ci has installed, and downloads nothing.
  NPM_CONFIG_YES: 'false'

stages: [test, plan, apply]

test:
  stage: test
  rules:
    - if: $CI_PIPELINE_SOURCE != "schedule"
  script:
    - npx tsc
    - npx tokenctl reactor types --check
    - npx tokenctl reactor test
    - npx tokenctl emulator exec --seed tokenctl.yaml -- npm run integration --if-present

.environments:
  parallel:
    matrix:
      - ENVIRONMENT: [${environments.map(quoteName).join(', ')}]
  environment:
    name: $ENVIRONMENT-plan
    action: prepare

plan:
  extends: .environments
  stage: plan
  rules:
    - if: $CI_PIPELINE_SOURCE != "schedule"
  script:
    - npx tokenctl lock pull --environment "$ENVIRONMENT" --branch "$CI_DEFAULT_BRANCH"
    - npx tokenctl plan --environment "$ENVIRONMENT" --out "plan-$ENVIRONMENT.json" --summary "plan-$ENVIRONMENT.md" --output table
  artifacts:
    paths: [plan-$ENVIRONMENT.json, plan-$ENVIRONMENT.md]

drift:
  extends: .environments
  stage: plan
  rules:
    - if: $CI_PIPELINE_SOURCE == "schedule"
  script:
    - npx tokenctl diff --environment "$ENVIRONMENT" --exit-code --output table

.apply:
  stage: apply
  rules:
    - if: $CI_PIPELINE_SOURCE != "merge_request_event" && $CI_PIPELINE_SOURCE != "schedule"
      # Whoever starts it has read the plan.
      when: manual
      allow_failure: false
  environment: $ENVIRONMENT
  resource_group: $ENVIRONMENT
  script:
    - npx tokenctl lock pull --environment "$ENVIRONMENT" --branch "$CI_COMMIT_BRANCH"
    - npx tokenctl apply "plan-$ENVIRONMENT.json" --environment "$ENVIRONMENT"
  # Also runs when the job has failed or is cancelled.
  after_script:
    - npx tokenctl lock push --environment "$ENVIRONMENT" --branch "$CI_COMMIT_BRANCH" --remote "$TOKENCTL_PUSH_URL"
${jobs}`;
  return { path: '.gitlab-ci.yml', text };
}
