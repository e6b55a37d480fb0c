/** One intent of a person on its way to the server. */
export interface OutboxItem {
  /** The idempotency key: the same for every attempt. */
  key: string
  method: 'POST' | 'PUT' | 'DELETE'
  url: string
  body: unknown
  /** What the page wants to remember with it (round, table, the sentence shown); never sent. */
  about: Record<string, unknown>
  /** Milliseconds, made strictly increasing: the order of sending. */
  createdAt: number
  tries: number
  /** Not before this local time (backoff); a person's "try again" may skip it. */
  notBefore: number
  /** Not before this local time, because the server said so (`Retry-After`); never skipped. */
  serverAsks: number
  state: 'waiting' | 'done' | 'rejected'
  /** The last failure, in the server's words. */
  problem: { status: number; code: string; zh: string; en: string; document: Record<string, unknown> } | null
  reply: unknown
  finishedAt: number | null
}

export interface OutboxStore {
  put(item: OutboxItem): Promise<void>
  remove(key: string): Promise<void>
  /** Everything kept, oldest first. */
  all(): Promise<OutboxItem[]>
}

const ITEMS = 'items'
/** WebViews on iOS have been seen never to answer an open request. */
const OPEN_TIMEOUT = 3000

/**
 * The phone's own storage: IndexedDB, and localStorage where it is refused or hangs (private mode, old kernels).
 * Both are read, so nothing is lost when the answer changes between two visits.
 */
export class DeviceStore implements OutboxStore {
  private database: Promise<IDBDatabase> | null = null
  private readonly name: string
  private readonly prefix: string

  /**
   * `owner` names whose entries these are (page and event): another page of the same browser speaks with another
   * cookie, and must neither send them nor be held up by them.
   */
  constructor(owner = '') {
    this.name = owner ? `guanjun-outbox-${owner}` : 'guanjun-outbox'
    this.prefix = owner ? `guanjun:outbox-${owner}:` : 'guanjun:outbox:'
  }

  async put(item: OutboxItem): Promise<void> {
    try {
      await this.request('readwrite', (items) => items.put(item))
      localStorageRemove(this.prefix + item.key)
    } catch {
      localStorage.setItem(this.prefix + item.key, JSON.stringify(item)) // if this throws too, the caller must know
    }
  }

  async remove(key: string): Promise<void> {
    await this.request('readwrite', (items) => items.delete(key)).catch(() => undefined)
    localStorageRemove(this.prefix + key)
  }

  async all(): Promise<OutboxItem[]> {
    const kept = await this.request<OutboxItem[]>('readonly', (items) => items.getAll()).catch(() => [])
    const byKey = new Map(kept.map((item) => [item.key, item]))
    for (const item of localStorageItems(this.prefix)) {
      const other = byKey.get(item.key)
      if (!other || other.state === 'waiting') byKey.set(item.key, item)
    }
    return [...byKey.values()].sort((a, b) => a.createdAt - b.createdAt)
  }

  private open(): Promise<IDBDatabase> {
    this.database ??= new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(this.name, 1)
      request.onupgradeneeded = () => request.result.createObjectStore(ITEMS, { keyPath: 'key' })
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error ?? new Error('IndexedDB refused'))
      request.onblocked = () => reject(new Error('IndexedDB blocked'))
      setTimeout(() => reject(new Error('IndexedDB does not answer')), OPEN_TIMEOUT)
    })
    return this.database
  }

  private async request<T>(mode: IDBTransactionMode, run: (items: IDBObjectStore) => IDBRequest): Promise<T> {
    const database = await this.open()
    return new Promise<T>((resolve, reject) => {
      const transaction = database.transaction(ITEMS, mode)
      const request = run(transaction.objectStore(ITEMS))
      transaction.oncomplete = () => resolve(request.result as T)
      transaction.onabort = () => reject(transaction.error ?? new Error('IndexedDB aborted'))
      transaction.onerror = () => reject(transaction.error ?? new Error('IndexedDB failed'))
    })
  }
}

function localStorageRemove(key: string): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // no localStorage: nothing of ours is in it
  }
}

function localStorageItems(prefix: string): OutboxItem[] {
  try {
    const keys = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? '')
    return keys
      .filter((key) => key.startsWith(prefix))
      .map((key) => JSON.parse(localStorage.getItem(key) ?? 'null') as OutboxItem | null)
      .filter((item): item is OutboxItem => item !== null)
  } catch {
    return []
  }
}
