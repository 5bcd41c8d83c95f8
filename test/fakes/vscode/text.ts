import type * as real from "vscode";

export class Position implements real.Position {
  constructor(
    readonly line: number,
    readonly character: number,
  ) {
    if (line < 0 || character < 0) throw new Error("illegal argument: a position is not negative");
  }

  compareTo(other: real.Position): number {
    return this.line - other.line || this.character - other.character;
  }
  isBefore(other: real.Position): boolean {
    return this.compareTo(other) < 0;
  }
  isBeforeOrEqual(other: real.Position): boolean {
    return this.compareTo(other) <= 0;
  }
  isAfter(other: real.Position): boolean {
    return this.compareTo(other) > 0;
  }
  isAfterOrEqual(other: real.Position): boolean {
    return this.compareTo(other) >= 0;
  }
  isEqual(other: real.Position): boolean {
    return this.compareTo(other) === 0;
  }

  translate(change?: unknown, character = 0): Position {
    if (typeof change === "object" && change !== null) {
      const { lineDelta = 0, characterDelta = 0 } = change as Record<string, number>;
      return this.translate(lineDelta, characterDelta);
    }
    const line = (change as number | undefined) ?? 0;
    return new Position(this.line + line, this.character + character);
  }

  with(change?: unknown, character = this.character): Position {
    if (typeof change === "object" && change !== null) {
      const { line = this.line, character: column = this.character } = change as Partial<Position>;
      return new Position(line, column);
    }
    return new Position((change as number | undefined) ?? this.line, character);
  }
}

export class Range implements real.Range {
  readonly start: Position;
  readonly end: Position;

  constructor(start: real.Position, end: real.Position);
  constructor(startLine: number, startCharacter: number, endLine: number, endCharacter: number);
  constructor(a: real.Position | number, b: real.Position | number, c?: number, d?: number) {
    const [from, to] =
      typeof a === "object" && typeof b === "object"
        ? [new Position(a.line, a.character), new Position(b.line, b.character)]
        : [new Position(Number(a), Number(b)), new Position(Number(c), Number(d))];
    const isInOrder = from.isBeforeOrEqual(to);
    this.start = isInOrder ? from : to;
    this.end = isInOrder ? to : from;
  }

  get isEmpty(): boolean {
    return this.start.isEqual(this.end);
  }
  get isSingleLine(): boolean {
    return this.start.line === this.end.line;
  }

  contains(other: real.Position | real.Range): boolean {
    if ("start" in other) return this.contains(other.start) && this.contains(other.end);
    return this.start.isBeforeOrEqual(other) && this.end.isAfterOrEqual(other);
  }

  isEqual(other: real.Range): boolean {
    return this.start.isEqual(other.start) && this.end.isEqual(other.end);
  }

  intersection(other: real.Range): Range | undefined {
    const start = this.start.isAfter(other.start) ? this.start : other.start;
    const end = this.end.isBefore(other.end) ? this.end : other.end;
    return start.isAfter(end) ? undefined : new Range(start, end);
  }

  union(other: real.Range): Range {
    const start = this.start.isBefore(other.start) ? this.start : other.start;
    const end = this.end.isAfter(other.end) ? this.end : other.end;
    return new Range(start, end);
  }

  with(change?: unknown, end: real.Position = this.end): Range {
    if (typeof change === "object" && change !== null && !("line" in change)) {
      const { start = this.start, end: to = this.end } = change as Partial<real.Range>;
      return new Range(start, to);
    }
    return new Range((change as real.Position | undefined) ?? this.start, end);
  }
}

export class Selection extends Range implements real.Selection {
  readonly anchor: Position;
  readonly active: Position;

  constructor(anchor: real.Position, active: real.Position);
  constructor(anchorLine: number, anchorCharacter: number, line: number, character: number);
  constructor(a: real.Position | number, b: real.Position | number, c?: number, d?: number) {
    const [anchor, active] =
      typeof a === "object" && typeof b === "object"
        ? [new Position(a.line, a.character), new Position(b.line, b.character)]
        : [new Position(Number(a), Number(b)), new Position(Number(c), Number(d))];
    super(anchor, active);
    this.anchor = anchor;
    this.active = active;
  }

  get isReversed(): boolean {
    return this.anchor.isAfter(this.active);
  }
}

export class Location implements real.Location {
  range: real.Range;

  constructor(
    public uri: real.Uri,
    place: real.Range | real.Position,
  ) {
    this.range = "start" in place ? place : new Range(place, place);
  }
}
