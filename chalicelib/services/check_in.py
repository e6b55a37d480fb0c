"""check_in"""
