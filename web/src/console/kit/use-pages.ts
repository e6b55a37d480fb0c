import { computed, ref, watch, type ComputedRef, type Ref } from 'vue'

/** A long list in pages of `size` rows; a filter that shortens it goes back to the first page. */
export function usePages<T>(rows: ComputedRef<T[]>, size = 100): { page: Ref<number>; pages: ComputedRef<number>; shown: ComputedRef<T[]> } {
  const page = ref(1)
  const pages = computed(() => Math.max(1, Math.ceil(rows.value.length / size)))
  watch(pages, (count) => {
    if (page.value > count) page.value = 1
  })
  const shown = computed(() => rows.value.slice((page.value - 1) * size, page.value * size))
  return { page, pages, shown }
}
