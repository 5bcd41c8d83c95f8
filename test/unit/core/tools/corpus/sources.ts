/** A file of a project, and edits that somebody might want of it. */
export interface Source {
  readonly path: string;
  readonly lines: readonly string[];
  readonly edits: readonly Edit[];
}

/** These lines become those. */
export interface Edit {
  /** 1-based. */
  readonly line: number;
  readonly count: number;
  readonly now: readonly string[];
}

const source = (path: string, text: string, ...edits: readonly Edit[]): Source => ({
  path,
  lines: text.replace(/^\n/, "").replace(/\n$/, "").split("\n"),
  edits,
});

const typescript = source(
  "src/cart.ts",
  `
import { percentOf } from "./discount.js";
import type { Money } from "./money.js";

export interface Line {
  readonly name: string;
  readonly price: Money;
  readonly quantity: number;
}

/** Adds a line, or adds to the one that is there – "twice" is one line. */
export function add(lines: readonly Line[], line: Line): Line[] {
  if (line.quantity <= 0) {
    throw new RangeError("a quantity is at least 1");
  }
  const known = lines.find((one) => one.name === line.name);
  if (!known) {
    return [...lines, line];
  }
  return lines.map((one) =>
    one === known ? { ...one, quantity: one.quantity + line.quantity } : one,
  );
}

export function total(lines: readonly Line[], discount = 0): number {
  let sum = 0;
  for (const { price, quantity } of lines) {
    sum += price.cents * quantity;
  }
  return sum - percentOf(sum, discount);
}
`,
  {
    line: 12,
    count: 3,
    now: [
      "  if (!Number.isInteger(line.quantity) || line.quantity <= 0) {",
      '    throw new RangeError("a quantity is a whole number, at least 1");',
      "  }",
    ],
  },
  {
    line: 15,
    count: 4,
    now: [
      "  const known = lines.find((one) => one.name === line.name);",
      "  if (!known) {",
      "    const { name, price, quantity } = line;",
      "    return [...lines, { name, price, quantity }];",
      "  }",
    ],
  },
  {
    line: 25,
    count: 4,
    now: [
      "  const sum = lines.reduce((all, { price, quantity }) => {",
      "    return all + price.cents * quantity;",
      "  }, 0);",
    ],
  },
  { line: 1, count: 1, now: ['import { percentOf, round } from "./discount.js";'] },
);

const python = source(
  "tools/report.py",
  `
import csv
from pathlib import Path


class Report:
    """What was sold, day by day."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.rows = []

    def load(self, name):
        with (self.folder / name).open() as file:
            for row in csv.DictReader(file):
                if row["state"] == "void":
                    continue
                self.rows.append(row)
        return len(self.rows)

    def total(self):
        total = 0
        for row in self.rows:
            total += int(row["cents"])
        return total


if __name__ == "__main__":
    report = Report(Path("."))
    print(report.load("sales.csv"), "rows")
    print(report.total())
`,
  {
    line: 15,
    count: 3,
    now: [
      '                if row["state"] in ("void", "draft"):',
      "                    continue",
      '                row["cents"] = int(row["cents"])',
      "                self.rows.append(row)",
    ],
  },
  { line: 21, count: 4, now: ['        total = sum(row["cents"] for row in self.rows)'] },
  {
    line: 8,
    count: 3,
    now: [
      "    def __init__(self, folder: Path, strict: bool = False):",
      "        self.folder = folder",
      "        self.strict = strict",
      "        self.rows = []",
    ],
  },
  { line: 29, count: 1, now: ["    print(f\"{report.load('sales.csv')} rows\")"] },
);

const go = source(
  "cmd/serve/main.go",
  `
package main

import (
\t"fmt"
\t"net/http"
)

type server struct {
\tname  string
\tcount int
}

func (s *server) hello(w http.ResponseWriter, r *http.Request) {
\ts.count++
\tif r.Method != http.MethodGet {
\t\thttp.Error(w, "only GET", http.StatusMethodNotAllowed)
\t\treturn
\t}
\tfmt.Fprintf(w, "hello from %s, %d", s.name, s.count)
}

func main() {
\ts := &server{name: "tally"}
\thttp.HandleFunc("/", s.hello)
\tif err := http.ListenAndServe("127.0.0.1:8080", nil); err != nil {
\t\tpanic(err)
\t}
}
`,
  {
    line: 15,
    count: 4,
    now: [
      "\tif r.Method != http.MethodGet && r.Method != http.MethodHead {",
      '\t\tw.Header().Set("Allow", "GET, HEAD")',
      '\t\thttp.Error(w, "only GET and HEAD", http.StatusMethodNotAllowed)',
      "\t\treturn",
      "\t}",
    ],
  },
  { line: 23, count: 1, now: ['\ts := &server{name: "tally", count: 1}'] },
  {
    line: 25,
    count: 3,
    now: [
      '\tif err := http.ListenAndServe("127.0.0.1:8080", nil); err != nil {',
      '\t\tfmt.Println("stopped:", err)',
      "\t}",
    ],
  },
);

const markdown = source(
  "docs/guide.md",
  `
# Guide

Tally counts in cents – always. “Rounding” is what others do…

## Begin

1. Install it: \`npm install tally\`.
2. Make a cart.

   \`\`\`js
   const cart = createCart();
   \`\`\`

3. Add what you sell.

> Don’t mix currencies.

| what | where |
| ---- | ----- |
| carts | \`src/cart.js\` |
| money | \`src/money.js\` |
`,
  {
    line: 3,
    count: 1,
    now: ["Tally counts in cents – always. “Rounding” happens once, at the end."],
  },
  { line: 8, count: 1, now: ["2. Make a cart, or load one."] },
  { line: 16, count: 1, now: ["> Don’t mix currencies: a cart has one."] },
  {
    line: 20,
    count: 2,
    now: ["| carts | `src/cart.js` |", "| tax | `src/tax.js` |", "| money | `src/money.js` |"],
  },
);

const json = source(
  "package.json",
  `
{
  "name": "tally",
  "version": "1.2.0",
  "scripts": {
    "test": "node --test",
    "lint": "eslint ."
  },
  "dependencies": {
    "left": "^1.0.0",
    "right": "^2.0.0"
  }
}
`,
  { line: 3, count: 1, now: ['  "version": "1.3.0",'] },
  {
    line: 5,
    count: 2,
    now: [
      '    "test": "node --test",',
      '    "test:watch": "node --test --watch",',
      '    "lint": "eslint ."',
    ],
  },
  { line: 9, count: 2, now: ['    "right": "^2.1.0"'] },
);

const yaml = source(
  ".ci/pipeline.yml",
  `
name: check
on:
  push:
    branches: [main]
jobs:
  test:
    runs-on: ubuntu
    steps:
      - uses: checkout
      - name: Install
        run: npm ci
      - name: Test
        run: npm test
        env:
          CI: "true"
`,
  {
    line: 12,
    count: 4,
    now: [
      "      - name: Lint",
      "        run: npm run lint",
      "      - name: Test",
      "        run: npm test -- --bail",
      "        env:",
      '          CI: "true"',
    ],
  },
  { line: 4, count: 1, now: ["    branches: [main, next]"] },
);

const html = source(
  "site/index.html",
  `
<!doctype html>
<html lang="en">
  <head>
    <title>Tally</title>
  </head>
  <body>
    <main>
      <h1>Tally</h1>
      <ul>
        <li>Carts</li>
        <li>Invoices</li>
      </ul>
    </main>
  </body>
</html>
`,
  {
    line: 9,
    count: 4,
    now: [
      "      <ol>",
      "        <li>Carts</li>",
      "        <li>Discounts</li>",
      "        <li>Invoices</li>",
      "      </ol>",
    ],
  },
  {
    line: 4,
    count: 1,
    now: ["    <title>Tally – counts in cents</title>", '    <meta charset="utf-8" />'],
  },
);

const rust = source(
  "src/lib.rs",
  `
use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cents(pub i64);

impl fmt::Display for Cents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        write!(f, "{}{}.{:02}", sign, self.0.abs() / 100, self.0.abs() % 100)
    }
}

impl std::ops::Add for Cents {
    type Output = Cents;

    fn add(self, other: Cents) -> Cents {
        Cents(self.0 + other.0)
    }
}
`,
  {
    line: 16,
    count: 3,
    now: [
      "    fn add(self, other: Cents) -> Cents {",
      "        Cents(self.0.saturating_add(other.0))",
      "    }",
    ],
  },
  { line: 8, count: 2, now: ['        write!(f, "{:.2}", self.0 as f64 / 100.0)'] },
);

const makefile = source(
  "Makefile",
  `
CC = cc
CFLAGS = -O2 -Wall

all: tally

tally: main.o cart.o
\t$(CC) -o $@ $^

%.o: %.c
\t$(CC) $(CFLAGS) -c $<

clean:
\trm -f tally *.o
`,
  { line: 9, count: 2, now: ["%.o: %.c tally.h", "\t@echo CC $<", "\t$(CC) $(CFLAGS) -c $<"] },
  { line: 12, count: 2, now: ["clean:", "\trm -f tally *.o core"] },
);

/** Functions that differ in their numbers only, with an edit at the beginning, the middle, the end. */
function long(path: string, functions: number): Source {
  const lines = Array.from({ length: functions }, (_, i) => [
    `export function rate${i}(amount) {`,
    `  if (amount < ${i}) {`,
    `    return "below ${i}";`,
    "  }",
    `  return amount * ${i};`,
    "}",
    "",
  ]).flat();
  const edit = (i: number): Edit => ({
    line: 7 * i + 2,
    count: 3,
    now: [`  if (amount <= ${i}) {`, `    log("rate", ${i});`, `    return "up to ${i}";`, "  }"],
  });
  return { path, lines, edits: [edit(0), edit(Math.floor(functions / 2)), edit(functions - 1)] };
}

export const sources: readonly Source[] = [
  typescript,
  python,
  go,
  markdown,
  json,
  yaml,
  html,
  rust,
  makefile,
  long("src/rates.js", 140),
  long("src/allRates.js", 2857),
];
