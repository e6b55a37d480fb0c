import '../shared/base.css'
