import { translatable } from "../../core/text/translator.js";

/** The help's text about the common options. */
export const optionsExplained = translatable(`What --approve allows without asking:
  ask      nothing
  safe     reading the workspace, commands that only read, an expert's files of its own task
  sandbox  same as safe, but all commands run in a sandbox without network access, and project files
           may be changed
  all      everything in the workspace, except protected files
Commands that run without approval run in a sandbox if the machine has one (see rooroo doctor).
Rules for read, write, command, web and tool can follow: --approve all,web=ask,command=deny
Limits are written like requests=200,tokens=1000000,cost=5 (in US dollars).
Everything else is asked in the terminal: allow it for this call, this task, this session, or always
(see rooroo approvals list). Without a terminal, the task waits.

The model is set on the command line, in the environment (OPENAI_BASE_URL, OPENAI_API_KEY,
ROOROO_MODEL), and by profiles in your own models.json (rooroo model profiles), never by the
workspace; only a job file can name another model of the same server.
With --api messages (Anthropic's), ANTHROPIC_BASE_URL and ANTHROPIC_API_KEY are read instead.
These environment variables are also used:
  ROOROO_SEARCH_PROVIDER, ROOROO_SEARCH_KEY, ROOROO_SEARCH_ADDRESS
                           a search service: tavily, brave or searxng
  ROOROO_CONTEXT_TOKENS    size of the model's context window (default: as its server reports)
  ROOROO_SANDBOX           off: commands do not run in the sandbox, same as --sandbox off
  ROOROO_PRIVATE_HOSTS     hosts of your own network to fetch from, such as localhost:3000,intranet
  HTTP_PROXY, HTTPS_PROXY, NO_PROXY
                           the proxy to go through, and hosts that are reached without it
  ROOROO_MCP_INPUT_ID      the value of the input ID of a workspace's MCP servers (docs/mcp.md)`);
