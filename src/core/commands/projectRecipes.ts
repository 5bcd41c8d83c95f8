/** The files that a build tool runs or follows, in its folder or one above. */
const recipes: Readonly<Record<string, string>> = {
  npm: "package.json .npmrc",
  npx: "package.json .npmrc",
  pnpm: "package.json .npmrc pnpm-workspace.yaml .pnpmfile.cjs",
  yarn: "package.json .yarnrc .yarnrc.yml",
  bun: "package.json bunfig.toml",
  bunx: "package.json bunfig.toml",
  deno: "deno.json deno.jsonc package.json",
  make: "GNUmakefile makefile Makefile",
  just: "justfile Justfile .justfile",
  task: "Taskfile.yml Taskfile.yaml taskfile.yml taskfile.yaml",
  rake: "Rakefile rakefile Rakefile.rb rakefile.rb",
  bundle: "Gemfile",
  mvn: "pom.xml .mvn/jvm.config .mvn/maven.config .mvn/extensions.xml",
  gradle:
    "build.gradle build.gradle.kts settings.gradle settings.gradle.kts gradle.properties gradle/wrapper/gradle-wrapper.properties gradle/wrapper/gradle-wrapper.jar",
  ant: "build.xml",
  cargo: "Cargo.toml build.rs .cargo/config.toml .cargo/config",
  composer: "composer.json",
  cmake: "CMakeLists.txt CMakePresets.json",
  ninja: "build.ninja",
  meson: "meson.build",
  tox: "tox.ini pyproject.toml setup.cfg",
  nox: "noxfile.py",
  invoke: "tasks.py",
  inv: "tasks.py",
  pip: "setup.py setup.cfg pyproject.toml",
  poetry: "pyproject.toml",
  pdm: "pyproject.toml",
  uv: "pyproject.toml uv.toml",
  hatch: "pyproject.toml",
  pytest: "conftest.py pytest.ini pyproject.toml tox.ini setup.cfg",
  grunt: "Gruntfile.js Gruntfile.cjs gruntfile.js",
  gulp: "gulpfile.js gulpfile.mjs gulpfile.cjs gulpfile.ts",
  docker: "Dockerfile docker-compose.yml docker-compose.yaml compose.yml compose.yaml",
  podman: "Dockerfile Containerfile docker-compose.yml compose.yml compose.yaml",
  vagrant: "Vagrantfile",
  mix: "mix.exs",
  sbt: "build.sbt",
  lein: "project.clj",
  zig: "build.zig",
  bazel: "WORKSPACE MODULE.bazel BUILD BUILD.bazel .bazelrc",
  scons: "SConstruct",
  waf: "wscript",
  turbo: "turbo.json package.json",
  nx: "nx.json package.json",
  lerna: "lerna.json package.json",
};
const sameAs: Readonly<Record<string, string>> = {
  gmake: "make",
  bmake: "make",
  gradlew: "gradle",
  mvnw: "mvn",
  pip3: "pip",
  pnpx: "pnpm",
  corepack: "npm",
};

/**
 * Returns the names of the files that a build tool runs or follows; none for any other program.
 *
 * @param program its name without a folder, in lower case
 */
export function projectRecipes(program: string): readonly string[] {
  const name = sameAs[program] ?? program;
  return Object.hasOwn(recipes, name) ? (recipes[name] ?? "").split(" ") : [];
}
