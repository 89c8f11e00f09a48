import { randomInt } from 'node:crypto';
import net, { type Server as NetServer, type Socket } from 'node:net';
import { MessageFraming } from './message-framing';

/*
 * Cures of kong-pdk 0.6.0, applied to its classes from inside: Kong starts the official
 * kong-js-pluginserver, which loads the plugin, which loads this file. Each cure has a test that
 * shows the fault without it (test/plugin-server/cures.test.ts).
 */

/** What a phase says to Kong next: a PDK call, or `ret` when it has ended. */
interface EventAnswer {
  readonly Data?: unknown;
  readonly EventId: number;
}

type Rpc<Answer> = (this: PluginServer, ...args: unknown[]) => Promise<Answer>;

/** kong-pdk/server.js: one per process, its methods are the RPCs. */
interface PluginServer {
  readonly events: Map<number, unknown>;
  instanceID: number;
  StartInstance: Rpc<unknown>;
  HandleEvent: Rpc<EventAnswer>;
  step: Rpc<EventAnswer>;
}

/** kong-pdk/listener.js: listens on the unix socket that Kong connects to. */
interface Listener {
  serve: (this: Listener) => NetServer;
}

/** kong-pdk/lib/mod.js: a plugin instance, `cls` is an object of the plugin's own class. */
interface Instance {
  readonly cls: { close?: () => void };
  close: (this: Instance) => void;
}

/** kong-pdk's classes, as far as a process has loaded them. */
export interface KongPdkClasses {
  readonly Server?: { readonly prototype: PluginServer } | undefined;
  readonly Listener?: { readonly prototype: Listener } | undefined;
  readonly Instance?: { readonly prototype: Instance } | undefined;
}

/** An event without an end after this time has been given up by Kong, in ms (its RPCs end after 60 s). */
const ABANDONED_AFTER_MS = 5 * 60_000;

const cured = new WeakSet<object>();

/**
 * Cures the kong-pdk that this process has loaded. Does nothing where there is none (the answer
 * process, tests), and nothing a second time.
 */
export function cureKongPdk(classes: KongPdkClasses = loadedKongPdk()): void {
  const { Server, Listener, Instance } = classes;
  if (Server && isUncured(Server)) {
    forgetEndedEvents(Server.prototype);
    seedInstanceIds(Server.prototype);
  }
  if (Listener && isUncured(Listener)) guardConnections(Listener.prototype);
  if (Instance && isUncured(Instance)) passCloseOn(Instance.prototype);
}

function isUncured(loaded: object): boolean {
  const isNew = !cured.has(loaded);
  cured.add(loaded);
  return isNew;
}

function loadedKongPdk(): KongPdkClasses {
  const exportsOf = (file: string): unknown => {
    const path = Object.keys(require.cache).find((key) =>
      key.replaceAll('\\', '/').endsWith(`/kong-pdk/${file}`),
    );
    return path === undefined ? undefined : require.cache[path]?.exports;
  };
  const mod = exportsOf('lib/mod.js') as Pick<KongPdkClasses, 'Instance'> | undefined;
  return {
    Server: exportsOf('server.js') as KongPdkClasses['Server'],
    Listener: exportsOf('listener.js') as KongPdkClasses['Listener'],
    Instance: mod?.Instance,
  };
}

/**
 * Fault: an event is deleted only when a later step says `ret`. One that ends with its first answer,
 * or by `kong.response.exit`, and one whose PDK call raised in Lua, stays for ever (1.4 kB each).
 */
function forgetEndedEvents(server: PluginServer): void {
  const { HandleEvent: handleEvent, step } = server;
  const started = new Map<number, number>();
  const forget = (self: PluginServer, eventId: number): void => {
    self.events.delete(eventId);
    started.delete(eventId);
  };
  const settle = (self: PluginServer, answer: EventAnswer): EventAnswer => {
    if (isLast(answer.Data)) forget(self, answer.EventId);
    return answer;
  };
  server.HandleEvent = async function (...args) {
    const now = Date.now();
    for (const [eventId, startedAt] of started) {
      if (now - startedAt < ABANDONED_AFTER_MS) break;
      forget(this, eventId);
    }
    const answer = await handleEvent.apply(this, args);
    started.set(answer.EventId, now);
    return settle(this, answer);
  };
  server.step = async function (...args) {
    return settle(this, await step.apply(this, args));
  };
}

function isLast(data: unknown): boolean {
  if (data === 'ret') return true;
  if (typeof data !== 'object' || data === null || !('Method' in data)) return false;
  return data.Method === 'kong.response.exit' || data.Method === 'kong.response.error';
}

/**
 * Fault: instance ids start at 0 in every process. After a restart a worker of Kong that still holds
 * an old id gets another configuration's instance. With a random start its id is unknown, and Kong
 * starts the instance anew.
 */
function seedInstanceIds(server: PluginServer): void {
  const { StartInstance: startInstance } = server;
  const seeded = new WeakSet<PluginServer>();
  server.StartInstance = function (...args) {
    if (!seeded.has(this)) this.instanceID += randomInt(1, 2 ** 30);
    seeded.add(this);
    return startInstance.apply(this, args);
  };
}

type ConnectionListener = (client: Socket) => void;

/**
 * Faults: a frame that arrives in two pieces, or two messages in one, end the process with an
 * uncaught decoding error; so does a connection that Kong has reset, because no one listens to its
 * errors. `net.createServer` is another one only while kong-pdk's listener calls it.
 */
function guardConnections(listener: Listener): void {
  const { serve } = listener;
  listener.serve = function () {
    const mutableNet = net as { createServer: (onConnection: ConnectionListener) => NetServer };
    const { createServer } = mutableNet;
    mutableNet.createServer = (onConnection) =>
      createServer((client) => {
        guard(client);
        onConnection(client);
      });
    try {
      return serve.call(this);
    } finally {
      mutableNet.createServer = createServer;
    }
  };
}

type DataListener = (this: Socket, message: Buffer) => void;

/** Gives listeners of `data` whole messages; what cannot be read costs its connection, not the process. */
function guard(client: Socket): void {
  const on = client.on.bind(client) as (event: string, listener: DataListener) => Socket;
  const framing = new MessageFraming();
  const wholeMessages =
    (listener: DataListener): DataListener =>
    (chunk) => {
      try {
        for (const message of framing.push(chunk)) listener.call(client, message);
      } catch {
        client.destroy();
      }
    };
  Object.assign(client, {
    on: (event: string, listener: DataListener) =>
      on(event, event === 'data' ? wholeMessages(listener) : listener),
  });
  on('error', () => client.destroy());
}

/** Fault: `CloseInstance` ends at kong-pdk's own object, the plugin's class never hears of it. */
function passCloseOn(instance: Instance): void {
  const { close } = instance;
  instance.close = function () {
    try {
      this.cls.close?.();
    } finally {
      close.call(this);
    }
  };
}
