"""The four pages as people use them: by what stands on buttons and fields, in Chinese."""
